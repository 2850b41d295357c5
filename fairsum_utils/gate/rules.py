"""Rules such as `uer.ci_high < 0.05`, from texts and from files."""

from __future__ import annotations

import ast
import json
import keyword
import math
import operator
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.validation import describe

_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
OPERATORS = tuple(_HOLDS)
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}

# Names about all results together: the number of warnings, and the samples of the result with the fewest
OVERALL = ("warnings", "n_samples")

BASELINE = "baseline"

# The end of an interval, behind the key of the interval or by itself
_END = re.compile(r"(?:(.+)_)?(low|high)")
_FORM = (
    "a rule compares numbers and names, such as 'uer.ci_high < 0.05'; only + and - are allowed; put labels and keys "
    'with special characters in quotes, as in bur.by_value["5"], and write 5% as 0.05'
)
_LONGEST = 120


End: TypeAlias = Literal["", "low", "high"]
_OTHER: dict[End, End] = {"low": "high", "high": "low", "": ""}


@dataclass(frozen=True)
class Name:
    """Name of a number or an interval end in results.

    Attributes:
        label: Label of the result; empty for numbers of all results together.
        keys: Keys from the result to the number or interval; none for the score.
        end: End of the interval; empty for a number.
        of: Origin: ``results``, ``baseline``, or ``change`` from the baseline to the results.
    """

    label: str
    keys: tuple[str, ...] = ()
    end: End = ""
    of: Literal["results", "baseline", "change"] = "results"

    def other_end(self) -> Name:
        """Return the interval's other end; for a number, itself."""
        return replace(self, end=_OTHER[self.end])

    def __str__(self) -> str:
        """Return the name as written in a rule.

        Example:
            >>> str(Name("bur@0.9", ("ci",), "high")), str(Name("bur", ("bur_by_value", "<p>")))
            ('"bur@0.9".ci_high', 'bur.bur_by_value["<p>"]')
            >>> str(Name("bur", end="high", of="change")), str(Name("bur", of="baseline"))
            ('(bur - baseline).ci_high', 'baseline bur')
        """
        if not self.label:
            return self.keys[0]
        said = self.label if _is_word(self.label) and self.label not in (*OVERALL, BASELINE) else _quoted(self.label)
        if self.of == "change":
            return f"({said}{''.join(map(_key, self.keys))} - {BASELINE}).ci_{self.end}"
        if self.end and self.keys and _is_word(self.keys[-1]):
            said += "".join(map(_key, self.keys[:-1])) + f".{self.keys[-1]}_{self.end}"
        else:
            said += "".join(map(_key, self.keys)) + (self.end and f".{self.end}")
        return f"{BASELINE} {said}" if self.of == "baseline" else said


@dataclass(frozen=True)
class Rule:
    """A rule: names with their signs, compared with a number.

    Attributes:
        text: Text as written.
        terms: sign, 1 or -1, and name; what the rule has on its left side, less what it has on its right.
        operator: one of `OPERATORS`.
        bound: the number on the right side, less that on the left.
    """

    text: str
    terms: tuple[tuple[int, Name], ...]
    operator: str
    bound: float

    @property
    def names(self) -> tuple[Name, ...]:
        """Return the names in the rule, in order."""
        return tuple(name for _, name in self.terms)

    @property
    def needs_baseline(self) -> bool:
        """Return whether the rule uses the baseline."""
        return any(name.of != "results" for name in self.names)

    def holds(self, number: float | Fraction) -> bool:
        """Return whether the rule is true for a sum; NaN never is.

        Example:
            >>> rule = parse_rule("uer.ci_high < 0.05")
            >>> rule.holds(0.04), rule.holds(0.05), rule.holds(math.nan)
            (True, False, False)
        """
        if isinstance(number, float) and math.isnan(number):
            return False
        return _HOLDS[self.operator](exact(number), exact(self.bound))

    def idle(self, limits: Sequence[tuple[float, float] | None]) -> str:
        """Return the reason why no score can reach a bound, or "".

        Example:
            >>> parse_rule("uer < 0.05").idle([(0.0, 0.5)]), parse_rule("uer < 5").idle([(0.0, 0.5)])[:44]
            ('', 'the value always lies between 0 and 0.5; sco')
        """
        known = [each for each in limits if each is not None]
        if len(known) < len(self.terms):
            return ""
        ends = [sorted(sign * end for end in each) for (sign, _), each in zip(self.terms, known, strict=True)]
        low, high = map(sum, zip(*ends, strict=True))
        if min(low, -1) <= self.bound <= max(high, 1):  # clearly not percentages
            return ""
        return f"the value always lies between {low:g} and {high:g}; scores are fractions, so write 5% as 0.05"

    def __str__(self) -> str:
        """Return the rule with names on the left and a number right.

        Example:
            >>> str(parse_rule("0.05 > uer . ci_high")), str(parse_rule("bur < baseline + 0.02"))
            ('uer.ci_high < 0.05', 'bur - baseline < 0.02')
        """
        said = ""
        last: Name | None = None
        for sign, name in self.terms:
            is_last = last is not None and name == replace(last, of="baseline")
            said += (" + " if sign > 0 else " - ") if said else "" if sign > 0 else "-"
            said += BASELINE if is_last else str(name)
            if not is_last:
                last = name if name.of == "results" else replace(name, end="", of="results")
        return f"{said} {self.operator} {repr(self.bound).removesuffix('.0')}"


def exact(number: float | Fraction) -> float | Fraction:
    """Return a number as a decimal, so 0.07 - 0.05 is 0.02.

    Example:
        >>> exact(0.07) - exact(0.05) == exact(0.02), 0.07 - 0.05 == 0.02
        (True, False)
    """
    if not isinstance(number, float):
        return Fraction(number)
    return Fraction(Decimal(repr(float(number)))) if math.isfinite(number) else number


def named_rule(text: str, module: str) -> str:
    """Return a quoted rule for the start of a message."""
    shown = repr(text)
    return f"{module}: rule {shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + '...'}"


def parse_rule(text: object, module: str = "check") -> Rule:
    """Read a rule: two sides and a comparison operator.

    A side is numbers and names joined by + and -. A name is one of

    - ``uer``: the score under that label. Put a label with special characters in quotes, as in
      Python: ``"bur@0.9"``;
    - ``uer.ci_low``, ``uer.ci_high``: an end of its interval;
    - ``uer.n_samples``, ``uer.warnings`` (how many), ``bur.bur_by_value["pos"]``, ``bur.difference_ci_high``: any
      number of the result, by its keys;
    - ``warnings``, ``n_samples``: of all results, how many warnings, and the samples of the result with the fewest;
    - ``baseline``: what the name before it is in the results of the baseline, as in ``bur - baseline < 0.02``;
    - ``(bur - baseline).ci_low``, ``(bur - baseline).ci_high``: an end of the interval of that difference.

    Args:
        text: the rule.
        module: name used in messages.

    Raises:
        InputError: no text, or no rule.

    Example:
        >>> rule = parse_rule("uer.ci_high < 0.05")
        >>> rule.names, rule.operator, rule.bound
        ((Name(label='uer', keys=('ci',), end='high', of='results'),), '<', 0.05)
    """
    if not isinstance(text, str):
        raise InputError(f"{module}: a rule must be a text such as 'uer.ci_high < 0.05', found {describe(text)}")
    return _Reader(str(text), module).rule()


class _Side:
    """Sum on one side of a rule."""

    def __init__(self) -> None:
        self.terms: list[tuple[int, Name]] = []
        self.number: Any = Fraction(0)


class _Reader:
    """Left-to-right reader of rules, with the syntax of Python comparisons."""

    def __init__(self, text: str, module: str) -> None:
        self.text = text
        self.where = named_rule(text, module)
        self.last: Name | None = None

    def rule(self) -> Rule:
        try:
            tree = ast.parse(f"({self.text}\n)", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self._fail(_FORM)
        try:
            left, right, sign = self._sides(tree)
        except RecursionError:
            self._fail(_FORM)
        if not left.terms and not right.terms:
            self._fail("does not name a result; name one, for example 'uer.ci_high < 0.05'")
        if not left.terms:
            left, right, sign = right, left, MIRRORED[sign]
        terms = (*left.terms, *((-factor, name) for factor, name in right.terms))
        bound = right.number - left.number
        if abs(bound) > sys.float_info.max:
            self._fail("the sum of the numbers overflows; use smaller numbers")
        rule = Rule(self.text, terms, sign, float(bound))
        self._check_ends(rule)
        return rule

    def _sides(self, tree: ast.expr) -> tuple[_Side, _Side, str]:
        if isinstance(tree, ast.BoolOp) or (isinstance(tree, ast.Tuple) and tree.elts):
            self._fail("combines several rules; write a separate rule for each")
        if not isinstance(tree, ast.Compare):
            self._fail(_FORM)
        if len(tree.ops) > 1:
            self._fail("compares more than once; write a separate rule for each")
        sign = _COMPARISONS.get(type(tree.ops[0]))
        if sign is None:
            self._fail(f"use one of the operators {', '.join(OPERATORS)}")
        left, right = _Side(), _Side()
        self._add(left, tree.left, 1)
        self._add(right, tree.comparators[0], 1)
        return left, right, sign

    def _add(self, side: _Side, node: ast.expr, factor: int) -> None:
        """Add a number, a name or a sum to a side."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            self._add(side, node.left, factor)
            self._add(side, node.right, factor if isinstance(node.op, ast.Add) else -factor)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
            self._add(side, node.operand, factor if isinstance(node.op, ast.UAdd) else -factor)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            number: Any = node.value
            if isinstance(number, float) and math.isinf(number):
                self._fail("a number is too large")
            side.number += factor * exact(number)
        else:
            side.terms.append((factor, self._name(node)))

    def _name(self, node: ast.expr) -> Name:
        """Read a name, ``baseline``, or an end of a change's interval."""
        node, keys, end = self._keys(node)
        if isinstance(node, ast.BinOp) and (keys or end):
            return self._change(node, keys, end)
        if isinstance(node, ast.Name) and node.id == BASELINE:
            if self.last is None or keys or end:
                self._fail(f"write {BASELINE} after the name that it belongs to, for example 'bur - {BASELINE}'")
            return replace(self.last, of="baseline")
        if isinstance(node, ast.Name) and node.id in OVERALL and not keys and not end:
            name = Name("", (node.id,))
        elif isinstance(node, ast.Name):
            name = Name(node.id, keys, end)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            name = Name(node.value, keys, end)
        else:
            self._fail(_FORM)
        self.last = name
        return name

    def _keys(self, node: ast.expr) -> tuple[ast.expr, tuple[str, ...], End]:
        """Split a name into label, keys and interval end."""
        keys: list[str] = []
        end: End = ""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node, ast.Subscript):
                if not isinstance(node.slice, ast.Constant) or not isinstance(node.slice.value, str):
                    self._fail('put a key in brackets in quotes, for example bur.by_value["pos"]')
                keys.append(node.slice.value)
            elif found := _END.fullmatch(node.attr):
                if keys or end:
                    self._fail(f"{node.attr} is the end of an interval and has no keys; remove the rest")
                end = "low" if found[2] == "low" else "high"
                keys += [found[1]] if found[1] else []
            else:
                keys.append(node.attr)
            node = node.value
        return node, tuple(reversed(keys)), end

    def _change(self, node: ast.BinOp, keys: tuple[str, ...], end: End) -> Name:
        """Read an end of the interval of the difference from the baseline."""
        right = node.right
        name = self._name(node.left)
        is_baseline = isinstance(node.op, ast.Sub) and isinstance(right, ast.Name) and right.id == BASELINE
        if not is_baseline or keys != ("ci",) or not end or name.end or not name.label:
            self._fail(f"parentheses are only allowed in (NAME - {BASELINE}).ci_low and (NAME - {BASELINE}).ci_high")
        return replace(name, end=end, of="change")

    def _check_ends(self, rule: Rule) -> None:
        """Refuse ends of intervals that are compared so that nothing follows."""
        sides = {(sign > 0) == (name.end == "high") for sign, name in rule.terms if name.end}
        if sides and rule.operator in ("==", "!="):
            self._fail(f"an end of an interval almost never equals a number exactly; use {', '.join(OPERATORS[:4])}")
        if len(sides) > 1:
            self._fail(
                "combines ends of intervals that give no bound: add equal ends and subtract opposite ends; for a "
                f"baseline, use (NAME - {BASELINE}).ci_low or .ci_high"
            )

    def _fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.where}: {message}")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_word(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text) and unicodedata.is_normalized("NFKC", text)


def _key(key: str) -> str:
    return f".{key}" if _is_word(key) and _END.fullmatch(key) is None else f"[{_quoted(key)}]"


_TOML = ".toml"
_SECTION, _KEY = "check", "rules"


def read_rules(rules: Any, module: str = "check") -> list[Rule]:
    """Return rules from texts and files.

    Example:
        >>> [str(rule) for rule in read_rules(["0.05 > uer.ci_high", "warnings == 0"])]
        ['uer.ci_high < 0.05', 'warnings == 0']
    """
    several = isinstance(rules, Sequence) and not isinstance(rules, (str, bytes))
    found = [rule for each in (rules if several else [rules]) for rule in _read(each, module)]
    if not found:
        raise InputError(f"{module}: there is no rule; give at least one")
    return found


def is_file(given: Any) -> bool:
    """Return whether a file of rules is meant, not a rule.

    Example:
        >>> is_file("fairsum.toml"), is_file("uer < 0.05")
        (True, False)
    """
    if not isinstance(given, str):
        return isinstance(given, os.PathLike)
    name = given.strip()
    return name.endswith((_TOML, ".txt")) or os.path.isfile(name)  # noqa: PTH113 - no error for long texts


def _read(given: Any, module: str) -> list[Rule]:
    """Return the rules in a text or file."""
    if is_file(given):
        path = os.fspath(given).strip()
        return [parse_rule(rule, f"{module}: {path}") for rule in _listed(path, module)]
    return [parse_rule(given, module)]


def _listed(path: str, module: str) -> list[Any]:
    """Read rules from TOML, or from lines of text with # comments."""
    import tomllib

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        if not path.endswith(_TOML):
            lines = (line.strip() for line in text.splitlines())
            return [line for line in lines if line and not line.startswith("#")]
        table: Any = tomllib.loads(text)
    except FileNotFoundError:
        raise FileError(f"{module}: there is no file {path}; a rule is text such as 'uer.ci_high < 0.05'") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"{module}: {path} cannot be read as rules: {error}") from None
    section = table.get(_SECTION, table)
    rules = section.get(_KEY) if isinstance(section, Mapping) else None
    if isinstance(rules, str):  # as among the options of a command
        rules = [rules]
    if not isinstance(rules, list):
        raise InputError(
            f"{module}: {path} has no list of rules, found {describe(rules)}; add [{_SECTION}] and, below it, {_KEY} "
            '= ["uer.ci_high < 0.05"]'
        )
    return rules
