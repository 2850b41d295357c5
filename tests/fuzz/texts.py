"""Texts, labels and names: of every script, empty, endless, and such as files and terminals misread."""

# ruff: noqa: SIM905 - words in a row are easier to read than a list of 200 lines

from __future__ import annotations

from random import Random
from typing import Any

PLAIN = (
    "soup staff tasty slow friendly cold service great awful room loud table waiter price good bad terrible lovely not "
    "very he she his her man woman mother father the a of and to was is Dr. U.S. e.g. said won't it's she'd brother "
    "queen king Mr. Smith Lee Ann John Kim Mary Cox O'Brien Smith-Jones 3 2.5 $10 10% :) !!! ... - -- ( ) \" ' ; ,"
).split()
MISREAD = (
    "nan NaN NAN None null NULL N/A #N/A inf -inf Infinity true False 0 -0 0.0 1e5 1e999 01 +1 0x1f 1_000 "
    "١٢٣ １２ Ⅳ ² ½ "
    '=1+1 =HYPERLINK(1) @SUM +1 -1 {} {0} %s %d $x ${x} \\n \\ \\u0000 [ ] [1] {"a":1} <b> </script> &amp; ]]> \'\' "" '
    "a,b a;b a|b a\tb ../.. C:\\x ~ * ? # -- /* */ ;DROP"
).split(" ")
SCRIPTS = (
    "суп хорошо ΟΔΟΣ σοφός ß ẞ İstanbul ı ﬁne ﬀ Å Å é é ñ 寿司 美味しい。 すごい！ 맛있어요 각 ข้าวผัด नमस्ते क्षि "
    "தமிழ் שָׁלוֹם مرحبا ك፞ ሰላም გამარჯობა Հայ 𝒜𝓫 𝟙𝟚 ﷽ Z͑ͫ̓ͪ̂ͫ̽͏̴̙a ǆ ǅ ŉ ΐ ﬃ Ω K"
).split(" ")
EMOJI = ("😀", "👩‍👩‍👧", "🏳️‍🌈", "🇩🇪", "👍🏽", "❤️", "☺", "🫠", "#️⃣", "😀" * 50)
BLANKS = (
    "\u00a0", "\u200b", "\u200d", "\u2028", "\u2029", "\x85", "\u3000", "\ufeff", "\t", "\n", "\r\n", "\r", "\x0b",
    "\x1c", " " * 40,
)  # fmt: skip
CONTROLS = (
    "\x00", "\x1b[31m", "\x07", "\x7f", "\u202e", "\u2066", "\ufffe", "\uffff", "\U0010ffff", "\u0301", "\ufff9",
    "\x9b31m",
)  # fmt: skip
REPEATED = ("a", ".", "'", "-", "_", "(", "\n", " ", "0", "é", "Good. ", "a. ", "! ")
SYNTAX = (
    "http://a.b/c?d=e#f", "a@b.c", "[" * 50, "{" * 50, "((((" * 9, "'" * 99, '"a""b"', "'a' 'b'", "<p>Hi</p>",
    "a" * 5000, "", " ", "\n", "\u00a0", "\u200b", ".", "…", "\x00", "  \t ",
)  # fmt: skip
LASTS = (
    "Lee", "Kim", "Cox", "Smith", "Jones", "O'Brien", "Smith-Jones", "van Dyk", "Ray", "Fox", "Müller", "李", "Иванов",
    "Ng",
)  # fmt: skip
FIRSTS = ("Ann", "John", "Mary", "Bob", "Eve", "Pat", "Zoë", "Mary Ann", "J.", "明", "Olga", "Max")
LABELS: tuple[Any, ...] = ("a", "b", "c", "pos", "neg", "male", "female", "A", "left wing")
ODD_LABELS: tuple[Any, ...] = (
    "nan", "None", "null", "0", "1", "True", "-1", "é", "é", "ß", "日本", "😀", "=1+1", "a|b", "a\nb", "a,b", "<b>",
    " a", "a ", "x" * 200, "\x1b[31m", "\u202e", "\x00", "{}", "%s", "mean", "all", "bur", "index", "n_samples",
    "__proto__", True, False, 0, 1, 2, -1, 10**20,
)  # fmt: skip


def word(rng: Random) -> str:
    """Draw a word, mostly a plain one."""
    return rng.choice(rng.choice((PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, SCRIPTS, MISREAD, EMOJI, LASTS, FIRSTS)))


def text(rng: Random, *, odd: float = 0.25) -> str:
    """Draw a text: mostly some words, with a share of odd ones."""
    if rng.random() >= odd:
        words = rng.choices(PLAIN, k=rng.choice((1, 2, 3, 4, 5, 6, 8, 12, 20)))
        return " ".join(words) + rng.choice((".", "", "!", "?"))
    match rng.randrange(8):
        case 0:
            return rng.choice(SYNTAX + tuple(MISREAD))
        case 1:  # blanks and controls between words
            return "".join(word(rng) + rng.choice((*BLANKS, *CONTROLS, " ")) for _ in range(rng.randrange(1, 8)))
        case 2:
            return "".join(chr(_codepoint(rng)) for _ in range(rng.randrange(1, 30)))
        case 3:
            return rng.choice((word(rng) + " ", *REPEATED)) * rng.choice((10, 100, 1000, 3000))
        case 4:
            return rng.choice(("", " ", "")).join(rng.choices(SCRIPTS, k=rng.randrange(1, 20)))
        case 5:
            return "".join(rng.choices(EMOJI, k=rng.randrange(1, 6)))
        case 6:
            return "\n".join(f"{rng.choice(FIRSTS)}: {word(rng)} {word(rng)}." for _ in range(rng.randrange(1, 5)))
    return " ".join(word(rng) for _ in range(rng.randrange(1, 40)))


def _codepoint(rng: Random) -> int:
    top = rng.choice((0x7F, 0xFF, 0x24F, 0x7FF, 0xFFFF, 0x10FFFF))
    found = rng.randrange(top + 1)
    return 0x41 if 0xD800 <= found <= 0xDFFF else found


def labels(rng: Random, n: int) -> list[Any]:
    """Names of values or groups, no two of which are one."""
    pool = LABELS if rng.random() < 0.7 else LABELS + ODD_LABELS
    found: dict[str, Any] = {}
    for _ in range(n):
        label = rng.choice(pool)
        found.setdefault(str(label), label)
    return list(found.values())


def name(rng: Random) -> tuple[str | None, str | None]:
    """A first and a last name, of which one may be missing."""
    first, last = rng.choice(FIRSTS), rng.choice(LASTS)
    kind = rng.randrange(6)
    return (None if kind == 0 else first), (None if kind == 1 else last)
