"""Rules such as `uer.ci_high < 0.05`, from texts and from files."""

from __future__ import annotations

import math
import operator
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.validation import describe, did_you_mean

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
"""Operator -> the one that says the same with the sides exchanged."""

OVERALL = ("warnings", "n_samples")
"""Names of what is there of all results together: how many warnings, and the samples of the result with the fewest."""

BASELINE = "baseline"

_MISSPELT = {"=": "==", "=<": "<=", "=>": ">=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!=", "===": "=="}
_HINTS = {
    "\"'": "close the quotes",
    "%": "write 5 % as 0.05",
    ",": "numbers have a point, as in 0.05, and every rule stands by itself",
    "\u2212\u2013\u2014": "write - for minus",
    "\u201c\u201d\u201e\u2018\u2019": "write \" or ' for quotes",
    "\uff1c\uff1e\uff1d": "write <, > or =",
    "*/^": "a side adds and subtracts, no more",
}
"""Signs that cannot be read -> what to do."""
_HINT = "a label that is no plain word stands in quotes"
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?!\w))
      | (?P<word>[^\W\d]\w*)
      | (?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<operator>[<>=!≤≥≠]+)
      | (?P<sign>[-+().\[\]])
      | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_END = re.compile(r"(?:(.+)_)?(low|high)")
"""The end of an interval, behind the key of the interval or by itself."""
_LONGEST = 120


End: TypeAlias = Literal["", "low", "high"]
_OTHER: dict[End, End] = {"low": "high", "high": "low", "": ""}


@dataclass(frozen=True)
class Name:
    """A name in a rule: a number of a result, or an end of an interval.

    Attributes:
        label: of the result; empty for what there is of all results together.
        keys: that lead from the result to the number or the interval; none for the score.
        end: of the interval; empty for a number.
        of: whose it is: of the ``results``, of their ``baseline``, or of the ``change`` from the baseline to them.
    """

    label: str
    keys: tuple[str, ...] = ()
    end: End = ""
    of: Literal["results", "baseline", "change"] = "results"

    def other_end(self) -> Name:
        """The name of the interval's other end; of a number its own."""
        return replace(self, end=_OTHER[self.end])

    def __str__(self) -> str:
        """The name as it stands in a rule.

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
        text: as it was written.
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
        """The names in the rule, in order."""
        return tuple(name for _, name in self.terms)

    @property
    def needs_baseline(self) -> bool:
        """Whether it names the baseline."""
        return any(name.of != "results" for name in self.names)

    def holds(self, number: float | Fraction) -> bool:
        """Whether the rule holds if its names add up to a number; it never does of NaN.

        Example:
            >>> rule = parse_rule("uer.ci_high < 0.05")
            >>> rule.holds(0.04), rule.holds(0.05), rule.holds(math.nan)
            (True, False, False)
        """
        if isinstance(number, float) and math.isnan(number):
            return False
        return _HOLDS[self.operator](exact(number), exact(self.bound))

    def idle(self, limits: Sequence[tuple[float, float] | None]) -> str:
        """Why a bound must be a mistake, such as 5 for 5 %, for no score reaches it; empty where it may be meant.

        Example:
            >>> parse_rule("uer < 0.05").idle([(0.0, 0.5)]), parse_rule("uer < 5").idle([(0.0, 0.5)])[:44]
            ('', 'what it names lies between 0 and 0.5, whatev')
        """
        known = [each for each in limits if each is not None]
        if len(known) < len(self.terms):
            return ""
        ends = [sorted(sign * end for end in each) for (sign, _), each in zip(self.terms, known, strict=True)]
        low, high = map(sum, zip(*ends, strict=True))
        if min(low, -1) <= self.bound <= max(high, 1):  # nobody mistakes these for percentages
            return ""
        return (
            f"what it names lies between {low:g} and {high:g}, whatever the samples are; scores are fractions, so "
            "write 5 % as 0.05"
        )

    def __str__(self) -> str:
        """The rule in its plainest form: what it names on the left, a number on the right.

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
    """A number as the decimal that it is written as, so that 0.07 - 0.05 is 0.02; infinity stays what it is.

    Example:
        >>> exact(0.07) - exact(0.05) == exact(0.02), 0.07 - 0.05 == 0.02
        (True, False)
    """
    if not isinstance(number, float):
        return Fraction(number)
    return Fraction(Decimal(repr(float(number)))) if math.isfinite(number) else number


def named_rule(text: str, module: str) -> str:
    """A rule, for the beginning of a message about it."""
    shown = repr(text)
    return f"{module}: rule {shown if len(shown) <= _LONGEST else shown[: _LONGEST - 3] + '...'}"


def parse_rule(text: object, module: str = "check") -> Rule:
    """Read a rule: two sides with ``<``, ``<=``, ``>``, ``>=``, ``==`` or ``!=`` between them.

    A side is numbers and names joined by + and -. A name is one of

    - ``uer``: the score under that label. A label that is no plain word stands in quotes: ``"bur@0.9"``;
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
        >>> parse_rule("uer = 0")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: check: rule 'uer = 0': '=' compares nothing; did you mean ==?
    """
    if not isinstance(text, str):
        raise InputError(f"{module}: a rule must be a text such as 'uer.ci_high < 0.05', found {describe(text)}")
    return _Reader(str(text), module).rule()


class _Side:
    """The sum on one side of a rule."""

    def __init__(self) -> None:
        self.terms: list[tuple[int, Name]] = []
        self.number: Any = Fraction(0)


class _Reader:
    """Reads a rule from its left to its right."""

    def __init__(self, text: str, module: str) -> None:
        self.text = text
        self.where = named_rule(text, module)
        self.tokens = list(self._tokens())
        self.place = 0
        self.last: Name | None = None

    def rule(self) -> Rule:
        left = self._side()
        kind, sign = self._next()
        if kind != "operator":
            self._fail(
                f"a comparison is missing before {_named(kind, sign)}; "
                f"put one of {', '.join(OPERATORS)} between two sides"
            )
        right = self._side()
        kind, more = self._next()
        if kind == "operator":
            self._fail("compares more than once; write a rule for each")
        if kind != "end":
            self._fail(f"found {_named(kind, more)} where + or - or the end should be")
        if not left.terms and not right.terms:
            self._fail("names no result; name one, as in 'uer.ci_high < 0.05'")
        if not left.terms:
            left, right, sign = right, left, MIRRORED[sign]
        terms = (*left.terms, *((-factor, name) for factor, name in right.terms))
        bound = right.number - left.number
        if abs(bound) > sys.float_info.max:
            self._fail("the numbers are too large to add up")
        rule = Rule(self.text, terms, sign, float(bound))
        self._check_ends(rule)
        return rule

    def _tokens(self) -> Iterator[tuple[str, str]]:
        place = 0
        while True:
            match = _TOKEN.match(self.text, place)
            if match is None:
                rest = self.text[place:].lstrip()
                shown = re.match(r"\w+|.", rest, re.DOTALL)
                assert shown is not None
                hint = next((hint for signs, hint in _HINTS.items() if rest[0] in signs), _HINT)
                self._fail(f"cannot read {shown[0]!r}; {hint}")
            kind, found = next((kind, found) for kind, found in match.groupdict().items() if found is not None)
            if kind == "operator" and found not in OPERATORS:
                guess = _MISSPELT.get(found)
                self._fail(
                    f"{found!r} compares nothing; " + (f"did you mean {guess}?" if guess else f"use {_OR_OPERATORS}")
                )
            yield kind, found
            if kind == "end":
                return
            place = match.end()

    def _next(self) -> tuple[str, str]:
        token = self.tokens[self.place]
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

    def _takes(self, *signs: str) -> str:
        """The next token, if it is one of these; else nothing."""
        kind, found = self.tokens[self.place]
        if kind == "sign" and found in signs:
            self._next()
            return found
        return ""

    def _side(self) -> _Side:
        side = _Side()
        sign = self._takes("+", "-") or "+"
        while sign:
            factor = -1 if sign == "-" else 1
            kind, found = self.tokens[self.place]
            if kind == "number":
                self._next()
                number = float(found)
                if not math.isfinite(number):
                    self._fail(f"the number {found[:20]} is too large")
                side.number += factor * exact(number)
            else:
                side.terms.append((factor, self._change() if self._takes("(") else self._name()))
            sign = self._takes("+", "-")
        return side

    def _name(self) -> Name:
        """A name, or the word that stands for that of the baseline."""
        kind, found = self._next()
        if kind not in ("word", "quoted"):
            self._fail(f"found {_named(kind, found)} where a name or a number should be")
        keys, end = self._keys()
        if kind == "word" and found == BASELINE:
            if self.last is None or keys or end:
                self._fail(f"{BASELINE} stands for the name before it; write it after one, as in 'bur - {BASELINE}'")
            return replace(self.last, of="baseline")
        if kind == "word" and found in OVERALL and not keys and not end:
            name = Name("", (found,))
        else:
            name = Name(found if kind == "word" else _unquoted(found), keys, end)
        if not name.label and not name.keys:
            self._fail("a label in quotes is empty")
        self.last = name
        return name

    def _keys(self) -> tuple[tuple[str, ...], End]:
        """Read the keys after a label, and the end of an interval."""
        keys: list[str] = []
        while sign := self._takes(".", "["):
            kind, found = self._next()
            if sign == "[":
                if kind != "quoted" or not self._takes("]"):
                    self._fail('a key in brackets stands in quotes, as in bur.by_value["pos"]')
                keys.append(_unquoted(found))
                continue
            if kind == "quoted":
                self._fail(f"write [{found}] without the point")
            if kind != "word":
                self._fail(f"found {_named(kind, found)} where a key should be; any text does in brackets and quotes")
            end = _END.fullmatch(found)
            if end is None:
                keys.append(found)
                continue
            if end[1]:
                keys.append(end[1])
            return tuple(keys), "low" if end[2] == "low" else "high"
        return tuple(keys), ""

    def _change(self) -> Name:
        """An end of the interval of the difference from the baseline."""
        form = f"brackets are for (NAME - {BASELINE}).ci_low and (NAME - {BASELINE}).ci_high"
        name = self._name()
        if not self._takes("-") or self._next() != ("word", BASELINE) or not self._takes(")"):
            self._fail(form)
        keys, end = self._keys()
        if keys != ("ci",) or not end or name.end or not name.label:
            guess = did_you_mean(keys[0], ["ci_low", "ci_high"]) if keys else ""
            self._fail(f"{form}{guess}")
        return replace(name, end=end, of="change")

    def _check_ends(self, rule: Rule) -> None:
        """Refuse ends of intervals that are compared so that nothing follows."""
        sides = {(sign > 0) == (name.end == "high") for sign, name in rule.terms if name.end}
        if sides and rule.operator in ("==", "!="):
            self._fail(f"an end of an interval is hardly ever equal to anything; use {', '.join(OPERATORS[:4])}")
        if len(sides) > 1:
            self._fail(
                "mixes ends of intervals so that they bound nothing: add the same ends, subtract the other one; from a "
                f"baseline, use (NAME - {BASELINE}).ci_low or .ci_high"
            )

    def _fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.where}: {message}")


_OR_OPERATORS = f"{', '.join(OPERATORS[:-1])} or {OPERATORS[-1]}"


def _named(kind: str, found: str) -> str:
    return "the end" if kind == "end" else repr(found) if kind != "quoted" else found


def _unquoted(found: str) -> str:
    """A text in quotes, in which a backslash stands before a quote or another backslash."""
    return re.sub(r"""\\(["'\\])""", r"\1", found[1:-1])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", r"\\").replace('"', r"\"") + '"'


def _is_word(text: str) -> bool:
    return re.fullmatch(r"[^\W\d]\w*", text) is not None


def _key(key: str) -> str:
    return f".{key}" if _is_word(key) and _END.fullmatch(key) is None else f"[{_quoted(key)}]"


ENDING = ".toml"
_SECTION, _KEY = "check", "rules"


def read_rules(rules: Any, module: str = "check") -> list[Rule]:
    """The rules that are meant.

    Example:
        >>> [str(rule) for rule in read_rules(["0.05 > uer.ci_high", "warnings == 0"])]
        ['uer.ci_high < 0.05', 'warnings == 0']
    """
    several = isinstance(rules, Sequence) and not isinstance(rules, (str, bytes))
    found = [rule for each in (rules if several else [rules]) for rule in _read(each, module)]
    if not found:
        raise InputError(f"{module}: there is no rule, and what is held to none passes nothing; give at least one")
    return found


def is_file(given: Any) -> bool:
    """Whether a file is meant, not a rule.

    Example:
        >>> is_file("fairsum.toml"), is_file("uer < 0.05")
        (True, False)
    """
    return isinstance(given, os.PathLike) or (isinstance(given, str) and given.strip().endswith(ENDING))


def _read(given: Any, module: str) -> list[Rule]:
    """The rules of a text or a file."""
    if is_file(given):
        path = os.fspath(given).strip()
        return [parse_rule(rule, f"{module}: {path}") for rule in _listed(path, module)]
    return [parse_rule(given, module)]


def _listed(path: str, module: str) -> list[Any]:
    import tomllib

    try:
        with Path(path).open("rb") as file:
            table: Any = tomllib.load(file)
    except FileNotFoundError:
        raise FileError(f"{module}: there is no file {path}; a rule is a text such as 'uer.ci_high < 0.05'") from None
    except (OSError, ValueError, RecursionError) as error:
        raise FileError(f"{module}: {path} cannot be read as TOML: {error}") from None
    section = table.get(_SECTION, table)
    rules = section.get(_KEY) if isinstance(section, Mapping) else None
    if isinstance(rules, str):  # as among the options of a command
        rules = [rules]
    if not isinstance(rules, list):
        raise InputError(
            f"{module}: {path} has no list of rules, found {describe(rules)}; "
            f'write [{_SECTION}] and below it {_KEY} = ["uer.ci_high < 0.05"]'
        )
    return rules
