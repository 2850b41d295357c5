"""Break functions one expression at a time, and list undetected breaks.

    python tools/mutate.py --files fairsum_utils/measures/uer.py -- tests/measures/test_uer.py

The tests are collected once. Each break replaces the code of one function in a process of its own, which runs the tests
that call this function, fastest first, until one fails. Breaks outside functions are not tried, and tests in other
processes see the unbroken code.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.UAdd: ast.USub,
}  # fmt: skip
NAMES = {"min": "max", "minimum": "maximum", "any": "all", "argmin": "argmax", "sum": "max", "mean": "sum"}
NAMES |= {other: name for name, other in NAMES.items()}
ESCAPES = ("escape", "escaped", "clean", "on_one_line", "quote", "Markup")


class Break(NamedTuple):
    """A function with one expression changed."""

    file: str
    line: int
    function: str
    words: str
    code: CodeType


def changed(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield replacements of one node with their descriptions."""
    for name, old in ast.iter_fields(node):
        for place, value in enumerate(old if isinstance(old, list) else [old]):
            other = SWAPS.get(type(value))
            if other is not None:
                new = copy.deepcopy(node)
                setattr(new, name, [*old[:place], other(), *old[place + 1 :]] if isinstance(old, list) else other())
                yield f"{type(value).__name__} to {other.__name__}", new
    match node:
        case ast.Constant(bool(value)):
            yield f"{value} to {not value}", ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield f"{value} to {value + 1}", ast.Constant(value + 1)
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield f"without {type(node.op).__name__}", operand
        case ast.Name(name) | ast.Attribute(attr=name) if name in NAMES:
            field = "id" if isinstance(node, ast.Name) else "attr"
            new = copy.deepcopy(node)
            setattr(new, field, NAMES[name])
            yield f"{name} to {NAMES[name]}", new
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name), [first, *_]) if name in ESCAPES:
            yield f"without {name}", first
        case ast.If() | ast.IfExp():
            new = copy.deepcopy(node)
            new.test = ast.UnaryOp(ast.Not(), node.test)
            yield "if to if not", new
        case ast.Raise():
            yield "without raise", ast.Pass()


def functions(tree: ast.AST, within: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Map qualified names to functions and methods."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield within + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{within}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            yield from functions(node, within)


def code_of(tree: ast.Module, file: str, qualname: str) -> CodeType:
    """Compile a tree's function."""
    found = [compile(tree, file, "exec", dont_inherit=True)]
    for code in found:
        found += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return next(code for code in found if code.co_qualname == qualname)


def breaks(file: str) -> Iterator[Break]:
    """Yield changes of each expression, without docstrings, annotations and defaults."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    for qualname, function in functions(tree):
        if qualname in ("_example", "_at_random", "worked_example", "by_chance"):  # sentences of `fairsum explain`
            continue
        parents = [parent for body in function.body for parent in walk(body)]
        holders = [(node, name) for node in parents for name, _ in ast.iter_fields(node) if name != "annotation"]
        for node, name in [(function, "body"), *holders]:
            old = getattr(node, name)
            for place, value in enumerate(old if isinstance(old, list) else [old]):
                if not isinstance(value, ast.expr | ast.stmt):
                    continue
                for words, new in changed(value):
                    ast.copy_location(new, value)
                    setattr(node, name, [*old[:place], new, *old[place + 1 :]] if isinstance(old, list) else new)
                    code = code_of(ast.fix_missing_locations(tree), file, qualname)
                    setattr(node, name, old)
                    yield Break(file, value.lineno, qualname, words, code)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and its descendants, without error messages."""
    if not isinstance(node, ast.Raise):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from walk(child)


def function_of(file: str, qualname: str) -> FunctionType | None:
    """Return the function as tests import it, unwrapped."""
    parts = Path(file).with_suffix("").parts[file.startswith("reproductions/") :]
    found: Any = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    for name in qualname.split("."):
        found = vars(found).get(name)
    for inner in ("__wrapped__", "__func__", "fget", "func"):
        found = getattr(found, inner, None) or found
    return found if isinstance(found, FunctionType) else None


def in_child(work: Callable[[], None], seconds: float) -> tuple[int, str]:
    """Run in a forked process for at most `seconds`; return status and output."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(int(seconds) + 1)
        os.close(reader)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(writer, 3)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    return os.waitpid(child, 0)[1], text


class Mutations:
    """Replaces pytest's loop over the tests."""

    def __init__(self, files: list[str], keep: str) -> None:
        self.files, self.kept = files, set(filter(None, keep.split(",")))
        self.failed: list[str] = []
        self.rows: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def pytest_configure(self) -> None:
        """Let Hypothesis report the first example that fails."""
        from hypothesis import Phase, settings

        quick = settings(settings.get_profile("same"), phases=[Phase.explicit, Phase.generate])
        settings.register_profile("broken", quick)
        settings.load_profile("broken")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what failed."""
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try every break, and print the table."""
        callers = self.callers(session)
        for file in self.files:
            for one in breaks(file):
                function = function_of(file, one.function)
                tests = callers.get((str(Path(file).resolve()), one.function), [])
                if function is None or len(one.code.co_freevars) != len(function.__code__.co_freevars):
                    continue
                limit = 20 + 5 * sum(seconds for seconds, _ in tests)
                tests = sorted(tests, key=lambda test: not self.is_kept(test[1].nodeid))

                def work(function: FunctionType = function, one: Break = one, tests: Any = tests) -> None:
                    function.__code__ = one.code
                    self.run(session, [item for _, item in tests])

                status, found = in_child(work, limit) if tests else (0, "")
                self.rows[file][0] += 1
                self.rows[file][1] += status != 0 or bool(found)
                if found:
                    self.kept.add(found.partition("[")[0])
                elif not status:
                    print(f"SURVIVED {file}:{one.line} {one.function}: {one.words} ({len(tests)} tests)")
        unneeded = dict.fromkeys(item.nodeid.partition("[")[0] for item in session.items)
        print("\n".join(f"not needed {name}" for name in unneeded if not self.is_kept(name)))
        for file, (tried, caught) in self.rows.items():
            print(f"| {file} | {tried} | {caught} |")
        return True

    def is_kept(self, name: str) -> bool:
        """Return whether a test found a break first or its file must stay."""
        return name.partition("[")[0] in self.kept or name.partition("::")[0] in self.kept

    def run(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Run tests until one fails, and write its name."""
        for item in items:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                os.write(3, self.failed[0].encode())
                break

    def callers(self, session: pytest.Session) -> dict[tuple[str, str], list[tuple[float, pytest.Item]]]:
        """Map each function to the tests that call it, fastest first."""
        paths = {str(Path(file).resolve()) for file in self.files}

        def work() -> None:
            for number, item in enumerate(session.items):
                called: set[tuple[str, str]] = set()

                def see(frame: Any, event: str, _: object, called: set[tuple[str, str]] = called) -> None:
                    if event == "call" and frame.f_code.co_filename in paths:
                        called.add((frame.f_code.co_filename, frame.f_code.co_qualname.partition(".<locals>")[0]))

                began = time.perf_counter()
                sys.setprofile(see)
                item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
                sys.setprofile(None)
                seconds = time.perf_counter() - began
                for path, qualname in called:
                    os.write(3, f"{path}\t{qualname}\t{seconds}\t{number}\n".encode())
            for name in self.failed:
                os.write(3, f"FAILED {name}\n".encode())

        _, text = in_child(work, 3600)
        found = defaultdict(list)
        for line in text.splitlines():
            if line.startswith("FAILED"):
                pytest.exit(f"fails without a break: {line}")
            path, qualname, seconds, number = line.split("\t")
            found[path, qualname].append((float(seconds), session.items[int(number)]))
        return {key: sorted(tests, key=lambda test: test[0]) for key, tests in found.items()}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--files", nargs="+", required=True, help="files of the package to break")
    parser.add_argument("--keep", default="", help="files of tests that run first, separated by commas")
    parser.add_argument("tests", nargs="+", help="arguments of pytest, after --")
    options = parser.parse_args(arguments)
    plugin = Mutations(options.files, options.keep)
    return pytest.main(["-s", "-p", "no:cacheprovider", "-p", "no:xdist", *options.tests], plugins=[plugin])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
