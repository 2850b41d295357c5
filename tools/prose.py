"""Check docstrings and messages for plain English: python tools/prose.py [PATH...]

Prints `FILE:LINE: rule` for each fault and exits with 1 if there is any. The patterns below are the rules.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PATHS = ("fairsum_utils", "reproductions/fairsum_reproductions")
# Aim for 12 words; code in backticks counts as one word.
MOST_WORDS = 14
OPENING = re.compile(
    r"(what|who|whoever|whose|whom|which|how|of|where|when|whether|as|for|in|with|that|so|it|something|somebody|nobody"
    r"|anybody|the same)\s",
    re.I,
)
NO_IMPERATIVE = re.compile(
    r"(The|A|An|Returns|Yields|Reads|Writes|Computes|Gives|Makes|Takes|Checks|Finds|Creates|Converts|Raises|Opens|Parses"
    r"|Splits|Loads|Keeps|Adds|Removes|Gets|Sets|Tells|Says|Holds|Asks|Lets|Puts|Cuts|Runs|Calls|Fills|Chooses|Collects)\s"
)
ARGUMENT = re.compile(r"(of|as|for|in|from|to|with|by|on|at|what|how|who|which|whether|where|when|that)\s", re.I)
SECTION = re.compile(r"^ *(Args|Attributes|Returns|Yields|Raises|Example): \S|\S (Source): \S")
BANNED = re.compile(
    r"\b(told|said|somebody|someone|whoever|nobody|anybody|it is so|the same,? but|lets? go of|what there is"
    r"|as it is)\b",
    re.I,
)


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
    """Yield line and fault where a docstring has lost its line breaks, lines from 0."""
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


def faults(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and fault of each docstring and message in Python source."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if doc := ast.get_docstring(node):
                start = node.body[0].lineno
                yield from ((start, fault) for fault in first_line(node, doc.split("\n")[0]))
                found = [*arguments(doc), *merged_lines(node, doc)]
                yield from ((start + place, fault) for place, fault in found)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_prose(node.value):
            text = re.sub(r"(?m)^ +\w+: ", "", node.value.partition("Example:\n")[0])
            for found in BANNED.finditer(re.sub(r'"[^"]*"|`[^`]*`', "", " ".join(text.split()))):
                yield node.lineno, f"{found[1]!r} is not plain English"


def is_prose(text: str) -> bool:
    """Return whether a string has three words or more, but no word list."""
    n_words = len(text.split())
    return n_words > 2 and not (n_words > 20 and re.fullmatch(r"[\w\s]+", text))


def main() -> int:
    """Print the faults of the given paths, by default of both packages."""
    n = 0
    for path in map(Path, sys.argv[1:] or PATHS):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for line, fault in sorted(faults(file.read_text(encoding="utf-8"))):
                print(f"{file}:{line}: {fault}")
                n += 1
    return 1 if n else 0


if __name__ == "__main__":
    sys.exit(main())
