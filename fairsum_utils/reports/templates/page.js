"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const made = (tag, text) => Object.assign(document.createElement(tag), { textContent: text ?? "" });
  const styled = (tag, classes, ...children) => {
    const element = document.createElement(tag);
    if (classes) element.className = classes;
    element.append(...children);
    return element;
  };
  const shown = (number) => number.toLocaleString("en");

  // The theme: the system's until the button is pressed.
  const root = document.documentElement;
  const button = find("fs-theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const name = () => (button.textContent = isDark() ? "Light colors" : "Dark colors");
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  button.hidden = false;
  name();

  // Tables whose rows can be sorted: by the number of a cell where it says one, else by its text.
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      if (head.tagName !== "TH") return;
      const press = made("button", head.textContent);
      press.type = "button";
      press.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") === "descending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const value = (row) => row.cells[column].dataset.value;
        const rows = [...body.rows].sort((a, b) => {
          const [x, y] = [value(a), value(b)];
          if ((x === undefined) !== (y === undefined) && [...body.rows].some((row) => value(row) !== undefined))
            return x === undefined ? 1 : -1;
          const order = x === undefined
            ? a.cells[column].textContent.localeCompare(b.cells[column].textContent)
            : Number(x) - Number(y);
          return up ? order : -order;
        });
        body.append(...rows);
      });
      head.replaceChildren(press);
    });
  }

  const packed = find("fs-index");
  if (!packed || !window.DecompressionStream) return;

  const unpack = (element) => {
    const letters = atob(element.textContent);
    const bytes = new Uint8Array(letters.length);
    for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  };
  unpack(packed).then((text) => start(JSON.parse(text)));

  function start(index) {
    const { samples, sorts, sides } = index;
    const systemOf = (sample) => index.systems[sample.system];
    // Texts and tables are HTML from Python, with all texts escaped; the policy of the page allows no script in them.
    const body = (sample) => {
      const template = made("template");
      template.innerHTML = sample.html;
      return template.content.firstElementChild;
    };
    const textOf = (sample) => {
      sample.text ??= [...body(sample).querySelectorAll(".fs-text")].map((each) => each.textContent).join("\n").toLowerCase();
      return sample.text;
    };

    // Orders of samples.
    const collator = new Intl.Collator("en", { numeric: true });
    samples.forEach((sample, place) => (sample.place = place));
    const worse = (sort) => (a, b) => {
      const [x, y] = [a.severities[sort], b.severities[sort]];
      if (x.length !== y.length) return y.length - x.length;
      const part = x.findIndex((number, at) => number !== y[at]);
      return part < 0 ? a.place - b.place : y[part] - x[part];
    };
    const order = (key) => {
      if (key === "file") return samples;
      return [...samples].sort(key === "id" ? (a, b) => collator.compare(a.id, b.id) || a.place - b.place : worse(key));
    };
    // Group that lacks most, by reading.
    const leastOf = (sample, reading) => {
      const numbers = sample.spreads[reading].map((number) => sides[reading] * (number ?? 0));
      const most = Math.max(...numbers);
      return most > 0 ? numbers.indexOf(most) : -1;
    };

    // Filters.
    const form = find("fs-filters");
    const ranges = [...document.querySelectorAll(".fs-range")];
    const field = (name) => form.elements[name]?.value ?? "";
    let listed = [];
    let current = null;

    const chosen = () => {
      const query = field("query").trim().toLowerCase();
      const wanted = [...form.querySelectorAll("[name=flag]:checked")].map((box) => box.value);
      const [reading, value] = field("least").split(",").map(Number);
      const system = field("system");
      const between = ranges.flatMap((range) => {
        const [low, high] = ["low", "high"].map((end) => range.elements[end].value);
        if (low === "" && high === "") return [];
        const [place, group] = [range.dataset.place, range.elements.value.value];
        return [[place, group, low === "" ? -Infinity : Number(low), high === "" ? Infinity : Number(high)]];
      });
      return (sample) =>
        (system === "" || sample.system === Number(system)) &&
        wanted.every((flag) => sample.flags.includes(flag)) &&
        (field("least") === "" || leastOf(sample, reading) === value) &&
        between.every(([place, group, low, high]) => {
          const number = sample.spreads[place][group];
          return number !== null && low <= number && number <= high;
        }) &&
        (!query || sample.id.toLowerCase().includes(query) || textOf(sample).includes(query));
    };

    const apply = () => {
      const began = performance.now();
      listed = order(field("sort")).filter(chosen());
      list();
      if (listed.length && !listed.includes(current)) open(listed[0]);
      if (!listed.length) empty();
      find("fs-browser").dataset.milliseconds = (performance.now() - began).toFixed(1);
    };

    // The list. The bar is of the number that decides in the end.
    const items = find("fs-list");
    const most = sorts.map((_, sort) => Math.max(0, ...samples.map((sample) => sample.severities[sort].at(-1) ?? 0)));
    const written = (number) => (number < -1e299 ? "–" : number.toFixed(3));
    const list = () => {
      const sort = field("sort") in sorts ? field("sort") : "0";
      items.replaceChildren(...listed.map((sample) => item(sample, sort)));
      find("fs-shown").textContent = `${shown(listed.length)} of ${shown(samples.length)} samples`;
      markCurrent();
    };
    const item = (sample, sort) => {
      const press = made("button");
      press.type = "button";
      press.dataset.place = sample.place;
      const id = made("b");
      id.append(made("bdi", sample.id));
      press.append(id);
      const numbers = sample.severities[sort] ?? [];
      const rest = numbers.slice(1).map((number, part) => `${sorts[sort][part + 1]} ${written(number)}`);
      const facts = [index.systems.length > 1 ? systemOf(sample) : "", ...rest, ...sample.flags].filter(Boolean);
      press.append(made("i", numbers.length ? written(numbers[0]) : "–"));
      if (facts.length) {
        const small = made("small");
        small.append(made("bdi", facts.join(" · ")));
        press.append(small);
      }
      if (numbers.at(-1) > 0 && most[sort] > 0) press.append(bar(numbers.at(-1) / most[sort]));
      const entry = made("li");
      entry.append(press);
      return entry;
    };
    const drawn = (tag, attributes) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    };
    const bar = (share) => {
      const svg = drawn("svg", { viewBox: "0 0 100 3", preserveAspectRatio: "none", "aria-hidden": "true" });
      svg.append(drawn("rect", { width: 100 * share, height: 3 }));
      return svg;
    };
    const markCurrent = () => {
      const buttons = [...items.querySelectorAll("button")];
      const at = buttons.find((each) => samples[each.dataset.place] === current);
      for (const each of buttons) {
        each.tabIndex = each === (at ?? buttons[0]) ? 0 : -1;
        if (each === at) each.setAttribute("aria-current", "true");
        else each.removeAttribute("aria-current");
      }
      return at;
    };
    items.addEventListener("click", (event) => {
      const press = event.target.closest("button");
      if (press) open(samples[press.dataset.place], true);
    });
    items.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const next = by && event.target.closest("li")?.[by > 0 ? "nextElementSibling" : "previousElementSibling"];
      if (!next) return;
      event.preventDefault();
      next.firstChild.focus();
    });

    // The reader.
    const reader = find("fs-reader");
    const columns = find("fs-columns");
    const empty = () => {
      current = null;
      find("fs-name").textContent = "No sample";
      columns.replaceChildren();
      find("fs-related").hidden = true;
    };
    const open = (sample, asked = false) => {
      current = sample;
      const content = body(sample);
      const title = find("fs-name");
      title.replaceChildren("Sample ", made("bdi", sample.id));
      if (systemOf(sample)) title.append(" ", made("small", systemOf(sample)));
      columns.replaceChildren(side(systemOf(sample) || sample.id, content));
      touch(content);
      relate(sample);
      const rank = listed.indexOf(sample);
      find("fs-previous").disabled = rank <= 0;
      find("fs-next").disabled = rank < 0 || rank + 1 >= listed.length;
      const entry = markCurrent();
      if (!asked) return;
      entry?.scrollIntoView({ block: "nearest" });
      link(sample);
      // Its first mark is in view, on a phone too: alone if the text before it is long.
      const top = reader.getBoundingClientRect().top;
      const first = content.querySelector("mark");
      const end = first?.getBoundingClientRect().bottom ?? top;
      if (end - top > innerHeight) first.scrollIntoView({ block: "center" });
      else if (top < 0 || top > innerHeight / 2 || end > innerHeight) reader.scrollIntoView({ block: "start" });
      title.focus({ preventScroll: true });
    };
    const side = (name, content) => {
      const column = made("div");
      const title = made("h4");
      title.append(made("bdi", name));
      column.append(title, content);
      return column;
    };
    const step = (by) => {
      const next = listed[listed.indexOf(current) + by];
      if (next) open(next, true);
    };
    find("fs-previous").addEventListener("click", () => step(-1));
    find("fs-next").addEventListener("click", () => step(1));
    find("samples").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      if (event.key === "n" || event.key === "p") step(event.key === "n" ? 1 : -1);
    });

    // Samples side by side: of other systems, or of the same original. A system that was chosen stays so; where there
    // is room, that is the other one of two.
    const wide = window.matchMedia("(min-width: 60rem)").matches;
    const beside = new Set(index.systems.length === 2 && wide ? index.systems : []);
    const relate = (sample) => {
      const same = samples.filter(
        (other) => other !== sample && (other.id === sample.id || (sample.related && other.related === sample.related)),
      );
      // Those that were made together with the sample come first; of variants, those of another one.
      const parted = (other) => Number(!(sample.pair || index.opposed) || other.pair !== sample.pair);
      const alike = (other) => Number(index.opposed && other.group === sample.group);
      const apart = (other) => 2 * alike(other) + parted(other);
      same.sort((one, other) => apart(one) - apart(other) || one.place - other.place);
      const box = find("fs-related");
      box.hidden = !same.length;
      box.lastElementChild.replaceChildren(...same.slice(0, 60).map((other) => choiceOf(other, sample)));
      for (const check of box.querySelectorAll("input")) if (beside.has(check.value)) check.click();
      // What differs between variants is seen with both in view.
      if (index.opposed && index.systems.length < 2 && wide) box.querySelector("input")?.click();
    };
    const choiceOf = (other, sample) => {
      const label = made("label");
      const system = other.id === sample.id ? systemOf(other) : "";
      const check = Object.assign(made("input"), { type: "checkbox", value: system });
      const title = system || [other.id, other.group, systemOf(other)].filter(Boolean).join(", ");
      label.append(check, made("bdi", title));
      let column = null;
      check.addEventListener("change", () => {
        if (system) beside[check.checked ? "add" : "delete"](system);
        if (!check.checked) return column?.remove();
        const content = body(other);
        column = side(title, content);
        columns.append(column);
        touch(content);
        return undefined;
      });
      return label;
    };

    // Marks: those that belong together, and the way between them.
    let lit = [];
    let origin = null;
    const keys = (mark) => mark.dataset.keys?.split(" ") ?? [];
    const marks = find("fs-marks");
    const choice = marks.querySelector("select");
    const read = () => {
      const folded = [...columns.querySelectorAll("details[data-reading]")];
      marks.hidden = !folded.length;
      for (const each of folded) each.open = !(each.hidden = each.dataset.reading !== choice.value);
    };
    choice.addEventListener("change", read);
    const touch = (content) => {
      read();
      content.querySelectorAll("mark").forEach((mark, place) => {
        mark.tabIndex = place ? -1 : 0;
        mark.setAttribute("role", "button");
      });
    };
    const reach = (mark) => {
      const content = mark.closest(".fs-sample");
      content.querySelectorAll("mark[tabindex='0']").forEach((other) => (other.tabIndex = -1));
      mark.tabIndex = 0;
      mark.focus({ preventScroll: true });
      mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    };
    const dim = () => {
      for (const mark of lit) mark.classList.remove("fs-lit");
      lit = [];
    };
    const light = (mark) => {
      const texts = mark.closest(".fs-texts") ?? mark.closest(".fs-sample");
      const mine = new Set(keys(mark));
      const again = lit.includes(mark) && origin?.isConnected;
      dim();
      lit = [...texts.querySelectorAll("mark")].filter((other) => other === mark || keys(other).some((key) => mine.has(key)));
      for (const other of lit) other.classList.add("fs-lit");
      if (!again) origin = mark;
      const isOwn = (other) => Boolean(other.closest(".fs-own"));
      const after = lit.slice(lit.indexOf(mark) + 1);
      const next = isOwn(mark) ? lit.find((other) => !isOwn(other)) : (after[0] ?? lit[0]);
      if (next) reach(next);
    };
    columns.addEventListener("click", (event) => {
      const mark = event.target.closest("mark");
      if (mark && !String(getSelection())) light(mark);
    });
    columns.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && lit.length) {
        dim();
        if (origin?.isConnected) reach(origin);
        return;
      }
      const mark = event.target.closest("mark");
      if (!mark) return;
      if (event.key === "Enter" || event.key === " ") light(mark);
      else {
        const marks = [...mark.closest(".fs-texts").querySelectorAll("mark")];
        const at = marks.indexOf(mark);
        const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 }[event.key];
        if (to === undefined) return;
        if (marks[to]) reach(marks[to]);
      }
      event.preventDefault();
    });

    let waiting = 0;
    form.addEventListener("input", (event) => {
      if (event.target.name !== "query") return apply();
      clearTimeout(waiting);
      waiting = setTimeout(apply, 200);
      return undefined;
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => {
      ranges.forEach((range) => range.reset());
      setTimeout(apply);
    });

    // Ranges of the distribution.
    for (const range of ranges) {
      range.hidden = false;
      range.addEventListener("input", apply);
      range.addEventListener("submit", (event) => event.preventDefault());
      range.addEventListener("reset", () => setTimeout(apply));
    }

    // Links to samples: #s=ID, and &system=NAME where there are several.
    const link = (sample) => {
      const query = new URLSearchParams({ s: sample.id });
      if (index.systems.length > 1) query.set("system", systemOf(sample));
      history.replaceState(null, "", `#${query}`);
    };
    const follow = () => {
      const query = new URLSearchParams(location.hash.slice(1));
      if (!query.has("s")) return false;
      const wanted = query.get("system");
      const sample = samples.find((each) => each.id === query.get("s") && (wanted === null || systemOf(each) === wanted));
      if (!sample) return false;
      open(sample, true);
      return true;
    };
    addEventListener("hashchange", follow);

    find("fs-browser").hidden = false;
    root.classList.add("fs-ready");
    const asked = follow();
    apply();
    if (asked) follow();
  }
})();
