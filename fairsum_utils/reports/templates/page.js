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
  const name = () => (button.textContent = isDark() ? "Light colours" : "Dark colours");
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
    const PAGE = 25;
    const { ids, sorts, spreads } = index;
    const many = ids.length;
    const systemOf = (place) => index.systems[index.system[place] ?? 0];
    const kinOf = (place) => index.kin[place] ?? "";
    const flags = index.flags.map(([name, places]) => {
      const has = new Uint8Array(many);
      for (const place of places) has[place] = 1;
      return [name, has];
    });
    const lower = ids.map((id) => id.toLowerCase());

    // Blocks of samples: unpacked when one is shown or searched, and only some are kept.
    const elements = [...document.querySelectorAll("script.fs-block")];
    const starts = [0];
    for (const length of index.blocks) starts.push(starts.at(-1) + length);
    const kept = new Map();
    const block = (number) => {
      const views = kept.get(number) ?? unpack(elements[number]).then((text) => text.split("\n"));
      kept.delete(number);
      kept.set(number, views);
      if (kept.size > 8) kept.delete(kept.keys().next().value);
      return views;
    };
    const body = async (place) => {
      const number = starts.findLastIndex((first) => first <= place);
      const view = JSON.parse((await block(number))[place - starts[number]]);
      // Spans are three numbers each: start, end and the place of what is known of them.
      const spansOf = (numbers) =>
        Array.from({ length: numbers.length / 3 }, (_, n) => [numbers[3 * n], numbers[3 * n + 1], ...view.known[numbers[3 * n + 2]]]);
      for (const reading of view.readings) reading.spans = reading.spans.map(spansOf);
      return render(view);
    };

    // A sample: what sample.html renders for readers without scripts. Texts become nodes, never HTML.
    const hidden = new RegExp(`([${index.signs}]+)|[^ \\n\\t${index.signs}]{${index.run}}(?=[^ \\n\\t])`, "gu");
    const escaped = (signs) =>
      [...signs].map((sign) => sign.codePointAt(0).toString(16)).map((code) => (code.length < 3 ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`)).join("");
    const withSigns = (given) => {
      const text = given.replace(/\r\n?/g, "\n");
      const nodes = [];
      let end = 0;
      for (const part of text.matchAll(hidden)) {
        nodes.push(text.slice(end, part.index));
        if (part[1]) nodes.push(styled("span", "fs-sign", escaped(part[1])));
        else nodes.push(part[0], made("wbr"));
        end = part.index + part[0].length;
      }
      return [...nodes, text.slice(end)];
    };
    const shortened = (text, most) => {
      const letters = [...text];
      const cut = letters.length - most;
      return cut <= 20 ? text : `${letters.slice(0, most).join("").trimEnd()} … (+${shown(cut)} characters)`;
    };
    const sorted = (names) => [...new Set(names)].sort();
    const classOf = (names, pairs = true) =>
      names.length === 1 || (pairs && names.length <= 3) ? `fs-${names.join("-")}` : "fs-shared";
    const keysOf = new WeakMap();
    const marked = (text, spans, colours) => {
      const letters = [...text];
      const pairs = new Set(colours.values()).size <= 4;
      const inside = spans
        .map((span) => [Math.max(span[0], 0), Math.min(span[1], letters.length), span])
        .filter(([start, end]) => start < end)
        .sort((one, other) => one[0] - other[0]);
      const cuts = [...new Set([0, letters.length, ...inside.flatMap(([start, end]) => [start, end])])];
      cuts.sort((one, other) => one - other);
      const nodes = [];
      let active = [];
      let next = 0;
      for (let place = 1; place < cuts.length; place++) {
        const [start, end] = [cuts[place - 1], cuts[place]];
        active = active.filter((each) => each[1] > start);
        while (next < inside.length && inside[next][0] === start) active.push(inside[next++]);
        const piece = withSigns(letters.slice(start, end).join(""));
        if (active.length) nodes.push(mark(piece, start, active, colours, pairs));
        else nodes.push(...piece);
      }
      return nodes;
    };
    const mark = (piece, start, active, colours, pairs) => {
      // Of a span: start, end, names, kind, key, remark.
      const spans = active.map(([, , span]) => span);
      const names = sorted(spans.flatMap((span) => span[2]));
      const classes = sorted(spans.map((span) => `fs-${span[3]}`));
      if (names.length) classes.push(classOf(sorted(names.map((name) => colours.get(name) ?? "accent")), pairs));
      if (active.some(([begin, , span]) => begin === start && ["unit", "chunk"].includes(span[3]))) classes.push("fs-first");
      const element = styled("mark", classes.join(" "), ...piece);
      const remarks = [...new Set(spans.map((span) => span[5]).filter(Boolean))].join("; ");
      const title = [names.map((name) => shortened(name, 60)).join(", "), remarks].filter(Boolean).join(": ");
      if (title) element.title = shortened(title, 300).replace(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/g, " ").replace(hidden, (part, signs) => (signs ? escaped(signs) : part));
      keysOf.set(element, spans.map((span) => span[4]).filter(Boolean));
      return element;
    };
    const known = index.colours && new Map(Object.entries(index.colours));
    const coloursOf = (view, reading) => {
      if (known) return known;
      const names = sorted([...view.values, ...reading.spans.flat().flatMap((span) => span[2])]);
      return new Map(names.map((name, place) => [name, names.length > index.palette.length ? "accent" : index.palette[place]]));
    };
    const paragraph = (view, place, reading, colours) => {
      const text = place ? view.sources[place - 1] : view.own;
      const element = styled("p", "fs-text", ...marked(text, reading.spans[place], colours));
      element.dir = "auto";
      const [length, whole] = [[...text].length, view.lengths[place]];
      if (whole > length) element.append(styled("em", "fs-cut", ` … shortened: ${shown(whole - length)} of ${shown(whole)} characters are left out`));
      return element;
    };
    const texts = (view, reading) => {
      const colours = coloursOf(view, reading);
      const n = view.sources.length;
      const own = styled("div", "fs-own", made("h4", n ? "Summary" : "Text"), paragraph(view, 0, reading, colours));
      if (view.columns.length) {
        own.append(styled("dl", "fs-columns", ...view.columns.map(([name, entry]) => {
          const shownEntry = styled("dd", "", ...withSigns(entry));
          shownEntry.dir = "auto";
          return styled("div", "", styled("dt", "", ...withSigns(name)), shownEntry);
        })));
      }
      const all = styled("div", "fs-texts", own);
      if (!n) return all;
      const groups = new Map();
      for (let place = 0; place < n; place++) {
        const value = view.values[place] ?? "";
        groups.set(value, [...(groups.get(value) ?? []), place]);
      }
      const sources = styled("div", "fs-sources", made("h4", n > 1 ? "Sources" : "Source"));
      for (const value of sorted(groups.keys())) {
        const group = styled("div", "fs-group");
        const places = groups.get(value);
        if (value) {
          const name = styled("bdi", classOf([colours.get(value) ?? "accent"]), ...withSigns(shortened(value, 300)));
          group.append(styled("h5", "", name, " ", made("small", `${shown(places.length)} ${places.length === 1 ? "text" : "texts"}`)));
        }
        group.append(...places.map((place) => paragraph(view, place + 1, reading, colours)));
        sources.append(group);
      }
      all.append(sources);
      return all;
    };
    const nodesOf = (view, reading) => {
      const nodes = [];
      if (reading.why) nodes.push(styled("p", "fs-scores", "No score: ", ...withSigns(reading.why), "."));
      else if (reading.scores.length) {
        const scores = reading.scores.flatMap(([name, number]) => [styled("span", "fs-score", ...withSigns(name), " ", made("b", number)), " "]);
        nodes.push(styled("p", "fs-scores", ...scores));
      }
      if (view.own !== null) nodes.push(texts(view, reading));
      if (reading.note) nodes.push(styled("p", "fs-note", reading.note));
      if (reading.evidence) {
        // Tables are HTML from Python, with all texts escaped; the policy of the page allows no script in them.
        const evidence = styled("div", "fs-evidence");
        evidence.innerHTML = reading.evidence;
        nodes.push(evidence);
      }
      return nodes;
    };
    const render = (view) => {
      const several = view.readings.length > 1;
      const parts = view.readings.map((reading, place) => {
        const nodes = nodesOf(view, reading);
        if (!several) return nodes;
        const folded = styled("details", "fs-reading", styled("summary", "", ...withSigns(index.titles[reading.place])), ...nodes);
        folded.dataset.reading = reading.place;
        folded.open = !place;
        return [folded];
      });
      return styled("div", "fs-sample", ...parts.flat());
    };

    // Orders of samples.
    const collator = new Intl.Collator("en", { numeric: true });
    const all = Uint32Array.from(ids.keys());
    const orders = new Map([["file", all]]);
    const order = (key) => {
      if (!orders.has(key)) {
        const compare = key === "id"
          ? (a, b) => collator.compare(ids[a], ids[b]) || a - b
          : worse(sorts[key][1]);
        orders.set(key, all.slice().sort(compare));
      }
      return orders.get(key);
    };
    const worse = (column) => (a, b) => {
      const [x, y] = [column[a], column[b]];
      if (x.length !== y.length) return y.length - x.length;
      for (let part = 0; part < x.length; part++) if (x[part] !== y[part]) return y[part] - x[part];
      return a - b;
    };
    const leasts = spreads.map(({ side, values }) => {
      const least = new Int32Array(many).fill(-1);
      for (let place = 0; place < many; place++) {
        let most = 0;
        values.forEach(([, numbers], value) => {
          if (numbers[place] !== null && side * numbers[place] > most) [most, least[place]] = [side * numbers[place], value];
        });
      }
      return least;
    });

    // Filters.
    const form = find("fs-filters");
    const ranges = [...document.querySelectorAll(".fs-range")];
    const field = (name) => form.elements[name]?.value ?? "";
    let places = [];
    // Of a search: 1 for samples in which it is; null for all.
    let found = null;
    let page = 0;
    let current = -1;

    const chosen = () => {
      const wanted = [...form.querySelectorAll("[name=flag]:checked")].map((box) => flags[box.value][1]);
      const [reading, value] = field("least").split(",").map(Number);
      const least = field("least") && leasts[reading];
      const of = field("system");
      const between = ranges.flatMap((range) => {
        const [low, high] = ["low", "high"].map((end) => range.elements[end].value);
        if (low === "" && high === "") return [];
        const numbers = spreads[range.dataset.place].values[range.elements.value.value][1];
        return [[numbers, low === "" ? -Infinity : Number(low), high === "" ? Infinity : Number(high)]];
      });
      return (place) =>
        (!found || found[place]) &&
        (of === "" || (index.system[place] ?? 0) === Number(of)) &&
        wanted.every((has) => has[place]) &&
        (!least || least[place] === value) &&
        between.every(([numbers, low, high]) => numbers[place] !== null && low <= numbers[place] && numbers[place] <= high);
    };

    const apply = () => {
      const began = performance.now();
      const key = field("sort");
      const keep = chosen();
      const worst = Math.floor(Number(field("worst")));
      const measure = key in sorts ? key : "0";
      if (worst > 0) {
        const scored = order(measure).filter((place) => sorts[measure][1][place].length && keep(place)).slice(0, worst);
        const among = new Set(scored);
        places = order(key).filter((place) => among.has(place));
      } else places = order(key).filter(keep);
      page = 0;
      list();
      if (places.length && !places.includes(current)) open(places[0]);
      if (!places.length) empty();
      find("fs-browser").dataset.milliseconds = (performance.now() - began).toFixed(1);
    };

    // The list: a page of it. The bar is of the number that decides in the end.
    const items = find("fs-list");
    const most = sorts.map(([, column]) => column.reduce((high, numbers) => Math.max(high, numbers.at(-1) ?? 0), 0));
    const written = (number) => (number < -1e299 ? "–" : number.toFixed(3));
    const list = () => {
      const key = field("sort") in sorts ? field("sort") : "0";
      const first = page * PAGE;
      const seen = [...places.slice(first, first + PAGE)];
      items.start = first + 1;
      items.replaceChildren(...seen.map((place) => item(place, key)));
      const last = Math.max(Math.ceil(places.length / PAGE), 1);
      find("fs-page").textContent = `${shown(page + 1)} of ${shown(last)}`;
      find("fs-back").disabled = page === 0;
      find("fs-on").disabled = page + 1 >= last;
      const listed = seen.length ? `, ${shown(first + 1)} to ${shown(first + seen.length)} listed` : "";
      find("fs-shown").textContent = `${shown(places.length)} of ${shown(many)} samples${listed}`;
      markCurrent();
    };
    const item = (place, key) => {
      const press = made("button");
      press.type = "button";
      press.dataset.place = place;
      const id = made("b");
      id.append(made("bdi", ids[place]));
      press.append(id);
      const [, column, names] = sorts[key] ?? ["", [], []];
      const numbers = column[place] ?? [];
      const rest = numbers.slice(1).map((number, part) => `${names[part + 1]} ${written(number)}`);
      const told = [index.systems.length > 1 ? systemOf(place) : "", ...rest, ...flags.filter(([, has]) => has[place]).map(([name]) => name)];
      const small = made("small");
      small.append(made("bdi", told.filter(Boolean).join(" · ")));
      press.append(made("i", numbers.length ? written(numbers[0]) : "–"));
      if (small.textContent) press.append(small);
      if (numbers.at(-1) > 0 && most[key] > 0) press.append(bar(numbers.at(-1) / most[key]));
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
      const at = buttons.find((each) => Number(each.dataset.place) === current);
      for (const each of buttons) {
        each.tabIndex = each === (at ?? buttons[0]) ? 0 : -1;
        if (each === at) each.setAttribute("aria-current", "true");
        else each.removeAttribute("aria-current");
      }
      return at;
    };
    const turn = (by) => {
      page += by;
      list();
      items.querySelector("button")?.focus();
    };
    find("fs-back").addEventListener("click", () => turn(-1));
    find("fs-on").addEventListener("click", () => turn(1));
    items.addEventListener("click", (event) => {
      const press = event.target.closest("button");
      if (press) open(Number(press.dataset.place), true);
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
      current = -1;
      find("fs-name").textContent = "No sample";
      columns.replaceChildren();
      find("fs-kin").hidden = true;
    };
    const open = async (place, asked = false) => {
      current = place;
      const content = await body(place);
      // Another one may have been asked for meanwhile.
      if (current !== place) return;
      const title = find("fs-name");
      title.replaceChildren("Sample ", made("bdi", ids[place]));
      if (systemOf(place)) title.append(" ", made("small", systemOf(place)));
      columns.replaceChildren(side(systemOf(place) || ids[place], content));
      touch(content);
      kin(place);
      const rank = places.indexOf(place);
      find("fs-previous").disabled = rank <= 0;
      find("fs-next").disabled = rank < 0 || rank + 1 >= places.length;
      if (rank >= 0 && Math.floor(rank / PAGE) !== page) {
        page = Math.floor(rank / PAGE);
        list();
      }
      const listed = markCurrent();
      if (!asked) return;
      listed?.scrollIntoView({ block: "nearest" });
      link(place);
      const top = reader.getBoundingClientRect().top;
      if (top < 0 || top > innerHeight / 2) reader.scrollIntoView({ block: "start" });
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
      const rank = places.indexOf(current) + by;
      if (rank >= 0 && rank < places.length) open(places[rank], true);
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
    const kin = (place) => {
      const same = [...all].filter(
        (other) => other !== place && (ids[other] === ids[place] || (kinOf(place) && kinOf(other) === kinOf(place))),
      );
      // Those that were made together with the sample come first; of variants, those of another one.
      const parted = (other) => Number(!(index.pair[place] || index.opposed) || index.pair[other] !== index.pair[place]);
      const alike = (other) => Number(index.opposed && index.group[other] === index.group[place]);
      const apart = (other) => 2 * alike(other) + parted(other);
      same.sort((one, other) => apart(one) - apart(other) || one - other);
      const box = find("fs-kin");
      box.hidden = !same.length;
      box.lastElementChild.replaceChildren(
        ...same.slice(0, 60).map((other) => {
          const label = made("label");
          const system = ids[other] === ids[place] ? systemOf(other) : "";
          const check = Object.assign(made("input"), { type: "checkbox", value: system });
          const told = system || [ids[other], index.group[other], systemOf(other)].filter(Boolean).join(", ");
          label.append(check, made("bdi", told || ids[other]));
          let column = null;
          check.addEventListener("change", async () => {
            if (system) beside[check.checked ? "add" : "delete"](system);
            if (!check.checked) return column?.remove();
            const content = await body(other);
            if (!check.isConnected || !check.checked) return undefined;
            column = side(told || ids[other], content);
            columns.append(column);
            touch(content);
            return undefined;
          });
          return label;
        }),
      );
      for (const check of box.querySelectorAll("input")) if (beside.has(check.value)) check.click();
      // What differs between variants is seen with both in view.
      if (index.opposed && index.systems.length < 2 && wide) box.querySelector("input")?.click();
    };

    // Marks: those that belong together, and the way between them.
    let lit = [];
    let origin = null;
    const keys = (mark) => keysOf.get(mark) ?? [];
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

    // Search: block by block, so that the page stays usable meanwhile.
    let searching = 0;
    const search = async () => {
      const mine = ++searching;
      const query = field("query").trim().toLowerCase();
      if (!query) {
        found = null;
        return apply();
      }
      const hits = new Uint8Array(many);
      lower.forEach((id, place) => (hits[place] = id.includes(query) ? 1 : 0));
      for (let number = 0; number < elements.length; number++) {
        const bodies = await block(number);
        if (mine !== searching) return undefined;
        bodies.forEach((text, place) => {
          if (hits[starts[number] + place]) return;
          const { own, sources } = JSON.parse(text);
          if ([own ?? "", ...sources].join("\n").toLowerCase().includes(query)) hits[starts[number] + place] = 1;
        });
        if (elements.length > 4) find("fs-shown").textContent = `Searching: ${Math.round((100 * (number + 1)) / elements.length)}%`;
        await new Promise((resolve) => setTimeout(resolve));
      }
      if (mine !== searching) return undefined;
      found = hits;
      return apply();
    };
    let waiting = 0;
    form.addEventListener("input", (event) => {
      if (event.target.name !== "query") return apply();
      clearTimeout(waiting);
      waiting = setTimeout(search, 200);
      return undefined;
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => {
      ranges.forEach((range) => range.reset());
      setTimeout(search);
    });

    // Ranges of the distribution: two fields, or a stretch drawn with the pointer.
    const brush = (range) => {
      const figure = range.closest(".fs-distribution");
      figure.querySelectorAll(".fs-brush").forEach((old) => old.remove());
      const [low, high] = ["low", "high"].map((end) => range.elements[end].value);
      if (low === "" && high === "") return;
      const svg = figure.querySelector(`svg[data-value="${Number(range.elements.value.value)}"]`);
      const [first, last] = [Number(svg.dataset.low), Number(svg.dataset.high)];
      const at = (number) => Math.min(Math.max((number - first) / (last - first), 0), 1) * svg.viewBox.baseVal.width;
      const [from, to] = [low === "" ? 0 : at(Number(low)), high === "" ? svg.viewBox.baseVal.width : at(Number(high))];
      if (to >= from) svg.append(drawn("rect", { class: "fs-brush", x: from, width: to - from, y: 0, height: svg.viewBox.baseVal.height }));
    };
    for (const range of ranges) {
      range.hidden = false;
      const changed = () => {
        brush(range);
        apply();
      };
      range.addEventListener("input", changed);
      range.addEventListener("submit", (event) => event.preventDefault());
      range.addEventListener("reset", () => setTimeout(changed));
      for (const svg of range.closest(".fs-distribution").querySelectorAll("svg")) {
        const [first, last] = [Number(svg.dataset.low), Number(svg.dataset.high)];
        const number = (event) => {
          const place = svg.getBoundingClientRect();
          const share = Math.min(Math.max((event.clientX - place.left) / place.width, 0), 1);
          return Number((first + share * (last - first)).toPrecision(3));
        };
        let from = null;
        const move = (event) => {
          const ends = [from, number(event)].sort((a, b) => a - b);
          range.elements.value.value = svg.dataset.value;
          [range.elements.low.value, range.elements.high.value] = ends;
          brush(range);
        };
        svg.addEventListener("pointerdown", (event) => {
          from = number(event);
          svg.setPointerCapture(event.pointerId);
          event.preventDefault();
        });
        svg.addEventListener("pointermove", (event) => from !== null && move(event));
        svg.addEventListener("pointerup", (event) => {
          if (from === number(event)) range.reset();
          else {
            move(event);
            apply();
          }
          from = null;
        });
        svg.addEventListener("pointercancel", () => (from = null));
      }
    }

    // Links to samples: #s=ID, and &system=NAME where there are several.
    const link = (place) => {
      const query = new URLSearchParams({ s: ids[place] });
      if (index.systems.length > 1) query.set("system", systemOf(place));
      history.replaceState(null, "", `#${query}`);
    };
    const follow = () => {
      const query = new URLSearchParams(location.hash.slice(1));
      if (!query.has("s")) return false;
      const wanted = query.get("system");
      const place = all.find((each) => ids[each] === query.get("s") && (wanted === null || systemOf(each) === wanted));
      if (place === undefined) return false;
      open(place, true);
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
