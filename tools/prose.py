"""Check texts and names for plain English: python tools/prose.py [--counts] [PATH...]

Prints `FILE:LINE: rule` for each fault and exits with 1 if there is any. The patterns below are the rules. `--counts`
prints the number of faults by kind instead.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# Aim for 12 words; code in backticks counts as one word.
MOST_WORDS = 14
# Faults of a kind that remain to be mended; a number may only become smaller.
CEILINGS: dict[str, int] = {
    "comment of tests": 177,
    "docstring of tests": 226,
    "message": 3,
    "name": 2,
    "name of tests": 286,
    "page of tests": 4,
}
# Folders whose strings are read by users; others hold test data.
FOR_USERS = ("fairsum_utils", "reproductions/fairsum_reproductions", "metrics", "datasets", "examples")
OPENING = re.compile(
    r"(what|who|whoever|whose|whom|which|how|of|where|when|whether|as|for|in|with|that|so|it|something|somebody|nobody"
    r"|anybody|the same)\s",
    re.I,
)
FRAGMENT = re.compile(r"(what|who|whoever|whose|whom|how|of|whether|something)\s(?!to\s)", re.I)
NO_IMPERATIVE = re.compile(
    r"(The|A|An|Returns|Yields|Reads|Writes|Computes|Gives|Makes|Takes|Checks|Finds|Creates|Converts|Raises|Opens|Parses"
    r"|Splits|Loads|Keeps|Adds|Removes|Gets|Sets|Tells|Says|Holds|Asks|Lets|Puts|Cuts|Runs|Calls|Fills|Chooses|Collects)\s"
)
ARGUMENT = re.compile(r"(of|as|for|in|from|to|with|by|on|at|what|how|who|which|whether|where|when|that)\s", re.I)
HELP = re.compile(r"(of|what|how|who|whom|whose|whether|where|which|that|something)\s", re.I)
DESCRIPTION = re.compile(r"[^:.]+: (what|whether|how|who|whom|of)\s", re.I)
SECTION = re.compile(r"^ *(Args|Attributes|Returns|Yields|Raises|Example): \S|\S (Source): \S")
BANNED = re.compile(
    r"\b(told|said|somebody|someone|whoever|nobody|anybody|anyhow|kin|fates?|spared|thereof|therein|it is so"
    r"|the same,? but|lets? go of|what there is|(?<!soon )as it is|what (?:became|becomes) of|what else|beyond what"
    r"|whose way)\b",
    re.I,
)
# Sentences whose subject is a clause, and questions without a question mark.
CLAUSE = re.compile(r"(?:^|(?<=[.;:] ))(What|Whoever|Whatever|Who|How|Whether)\b[^.?!:;]*[.;]")
INVERTED = re.compile(
    r"(?:^|(?<=[.;] ))(Of [a-z][^,.;]{0,60}\b(?:ask|give|take|are|is|has|have|was|were|needs?)\b"
    r"|(?:Scored|Skipped|Compared|Drawn|Counted|Given|Left out|Not counted) (?:was|were|is|are)\b)"
)
NAME = re.compile(r"(?<![a-z])(told|said|says|tells|kin|fates?|spared|who|whom|whose|nobody|somebody|besides)(?![a-z])")
TEST = re.compile(r"test_(what|who|whose|whom|where|of|how|whoever|whether)_")


class Fault(NamedTuple):
    """Fault of a text or name.

    Attributes:
        line: line of the file, from 1.
        kind: kind of the text.
        text: broken rule.
    """

    line: int
    kind: str
    text: str


def sentences(text: str) -> Iterator[str]:
    """Yield the faults of running text."""
    plain = re.sub(r'"[^"]*"|`[^`]*`', "x", " ".join(text.split()))
    for found in BANNED.finditer(plain):
        yield f"{found[1]!r} is not plain English"
    for found in CLAUSE.finditer(plain):
        yield f"{found[0][:40]!r} begins with a clause; begin with a noun"
    for found in INVERTED.finditer(plain):
        yield f"{found[0][:40]!r} is inverted; begin with the subject"


def first_line(node: ast.AST, line: str) -> Iterator[str]:
    """Yield the faults of a docstring's first line."""
    n_words = len(re.sub(r"`[^`]*`", "x", line).split())
    if n_words > MOST_WORDS:
        yield f"first line has {n_words} words, at most {MOST_WORDS} are allowed"
    if found := OPENING.match(line):
        yield f"first line begins with {found[1]!r}; begin with a verb or a noun"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (found := NO_IMPERATIVE.match(line)):
        yield f"first line of a function begins with {found[1]!r}; begin with a verb in the imperative"


def arguments(doc: str) -> Iterator[tuple[int, str]]:
    """Yield line and fault of argument lines, lines from 0."""
    inside = False
    for place, line in enumerate(doc.split("\n")):
        if line and not line.startswith(" "):
            inside = line in ("Args:", "Attributes:")
        argument = re.match(r" {4}\*{0,2}\w[^:]*: (.*)", line)
        if inside and argument and (found := ARGUMENT.match(argument[1])):
            yield place, f"argument begins with {found[1]!r}; begin with a noun"


def merged_lines(node: ast.AST, doc: str) -> Iterator[tuple[int, str]]:
    """Yield lines, from 0, where a docstring has lost its line breaks."""
    names = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    names |= {
        each.target.id for each in ast.walk(node) if isinstance(each, ast.AnnAssign) and hasattr(each.target, "id")
    }
    inside, before = "", ""
    for place, line in enumerate(doc.split("\n")):
        if heading := re.match(r"(\w+):$", line):
            if heading[1] == before:
                yield place, f"'{before}:' stands twice"
            inside = heading[1]
        elif line and not line.startswith(" "):
            inside = ""
        if found := SECTION.search(line):
            yield place, f"'{found[1] or found[2]}:' needs a line of its own"
        if (
            inside in ("Args", "Attributes")
            and (found := re.search(r"[.;,] \*{0,2}(\w+): ", line))
            and found[1] in names
        ):
            yield place, f"the argument '{found[1]}:' needs a line of its own"
        before = heading[1] if heading else before if not line.strip() else ""


def docstring(node: ast.AST, doc: str, start: int, *, in_full: bool) -> Iterator[Fault]:
    """Yield the faults of a docstring; those of tests need no form."""
    if in_full:
        found = [(0, text) for text in first_line(node, doc.split("\n")[0])]
        found += [*arguments(doc), *merged_lines(node, doc)]
        yield from (Fault(start + place, "docstring", text) for place, text in found)
    elif opening := OPENING.match(doc):
        yield Fault(start, "docstring", f"begins with {opening[1]!r}; begin with a verb or a noun")
    running = re.sub(r"(?ms)^Example:\n.*?(?=^\S|\Z)|^ {4}\*{0,2}\w+: ", "", doc)
    for paragraph in re.split(r"\n\s*\n", running):
        yield from (Fault(start, "docstring", text) for text in sentences(paragraph))


def strings(tree: ast.Module) -> Iterator[Fault]:
    """Yield the faults of messages, helps of options and settings, and descriptions of modules."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            if is_prose(node.value):
                message = node.value.partition("Example:\n")[0]
                yield from (Fault(node.lineno, "message", text) for text in sentences(message))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Option", "Argument", "Column", "setting"):
            for text in [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "help")]:
                if isinstance(text, ast.Constant) and (found := HELP.match(str(text.value))):
                    yield Fault(text.lineno, "help", f"help begins with {found[1]!r}; begin with a noun or a verb")
            yield from capitals(node)
        elif (
            isinstance(node, ast.Assign)
            and getattr(node.targets[0], "id", "") == "_DESCRIPTION"
            and (found := DESCRIPTION.match(ast.literal_eval(node.value).strip()))
        ):
            yield Fault(node.lineno, "description", f"begins with {found[1]!r}; begin with a noun")


def capitals(option: ast.Call) -> Iterator[Fault]:
    """Yield the help of an option if it begins with a small letter."""
    texts = [keyword.value for keyword in option.keywords if keyword.arg == "help"]
    if getattr(option.func, "id", "") == "Argument":
        texts += option.args[2:]
    elif getattr(option.func, "id", "") != "Option":
        return
    for text in texts:
        if isinstance(text, ast.Constant) and re.match(r"[a-z]", str(text.value)):
            yield Fault(text.lineno, "help", "help of an option begins with a small letter")


def is_prose(text: str) -> bool:
    """Return whether a string has three words or more, but no word list."""
    n_words = len(text.split())
    return n_words > 2 and not (n_words > 20 and re.fullmatch(r"[\w\s]+", text))


def comments(source: str) -> Iterator[Fault]:
    """Yield the faults of comments; lines that follow each other are one."""
    blocks: list[tuple[int, int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string.lstrip("#! ")
        if token.type != tokenize.COMMENT or re.match(r"noqa|type:|pragma|From:|fmt:", text):
            continue
        line = token.start[0]
        if token.line.lstrip().startswith("#") and blocks and blocks[-1][1] == line - 1:
            start, _, before = blocks.pop()
            blocks.append((start, line, f"{before} {text}"))
        else:
            blocks.append((line, line if token.line.lstrip().startswith("#") else 0, text))
    for line, _, text in blocks:
        if (found := FRAGMENT.match(text)) and not text.endswith("?"):
            yield Fault(line, "comment", f"begins with {found[1]!r}; begin with a noun or a verb")
        yield from (Fault(line, "comment", fault) for fault in sentences(text))


def names(tree: ast.Module) -> Iterator[Fault]:
    """Yield the faults of names, where they are defined."""
    for node in ast.walk(tree):
        name = ""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = node.id if isinstance(node, ast.Name) else node.attr
        if found := NAME.search(name.lower()) or TEST.match(name):
            yield Fault(node.lineno, "name", f"{name!r} has {found[1]!r}; name it by a plain noun")


def faults(source: str, *, is_test: bool = False, for_users: bool = True) -> Iterator[Fault]:
    """Yield the faults of Python source.

    Args:
        source: text of the file.
        is_test: docstrings may have any form.
        for_users: strings are read by users.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        is_documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if is_documented and (doc := ast.get_docstring(node)):
            yield from docstring(node, doc, node.body[0].lineno, in_full=not is_test)
    yield from strings(tree) if for_users else ()
    yield from comments(source)
    yield from names(tree)


def page_faults(source: str) -> Iterator[Fault]:
    """Yield the faults of a Markdown page, without code and citations."""
    text = re.sub(r"(?ms)^```.*?^```", lambda block: "\n" * block[0].count("\n"), source)
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        yield from (Fault(line, "page", fault) for fault in sentences(paragraph))
        line += paragraph.count("\n")


def files(paths: list[str]) -> Iterator[Path]:
    """Yield the Python files and pages among the paths, without the changelog."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *paths]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    for path in map(Path, sorted(listed.stdout.splitlines())):
        if path.suffix in (".py", ".md") and path.name != "CHANGELOG.md" and path.exists():
            yield path


def main() -> int:
    """Print the faults of the given paths, by default of the repository."""
    given = [argument for argument in sys.argv[1:] if argument != "--counts"]
    found: dict[str, list[str]] = defaultdict(list)
    for path in files(given):
        source, is_test = path.read_text(encoding="utf-8"), "tests" in path.parts
        for_users = path.as_posix().startswith(FOR_USERS)
        every = faults(source, is_test=is_test, for_users=for_users) if path.suffix == ".py" else page_faults(source)
        for fault in sorted(every):
            kind = f"{fault.kind} of tests" if is_test else fault.kind
            found[kind].append(f"{path}:{fault.line}: {fault.text}")
    if "--counts" in sys.argv:
        print("\n".join(f"{kind}: {len(lines)}" for kind, lines in sorted(found.items())))
        return 0
    above = [line for kind, lines in sorted(found.items()) if len(lines) > CEILINGS.get(kind, 0) for line in lines]
    print("".join(f"{line}\n" for line in above), end="")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
