"""Damage to files: bits, cuts, lines, numbers, nesting, and other entries in place of those of JSON."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_STRING = re.compile(rb'"[^"\n]{0,60}"')
_WORD = re.compile(rb"[A-Za-z_]{2,}")

_NUMBERS = (
    b"-1",
    b"0",
    b"1e999",
    b"9" * 25,
    b"1" * 5000,
    b"NaN",
    b"-Infinity",
    b"1e-400",
    b"0x1f",
    b"1.5",
    b"00",
    b"\xd9\xa3",
    b"",
    b"null",
)
_STRINGS = (
    b'"\\ud800"',
    b'"\\u0000"',
    b'"\\u001b[31m"',
    b'""',
    b"null",
    b"3",
    b"[]",
    b"{}",
    b'[["a"]]',
    b'"' + b"a" * 300 + b'"',
    b"true",
    b'"\xff"',
    b'"../../x"',
    b'"\\u202e"',
)
_BYTES = (
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b'"',
    b"'",
    b",",
    b"\t",
    b";",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\\",
    b"\x80",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
    b"\x1b[31m",
    b"=",
    b"\x1a",
)


def mutated(rng: Random, content: bytes) -> bytes:
    """A file with some damage, of one to three kinds."""
    if rng.random() < 0.35 and (changed := _other_entry(rng, content)) is not None:
        return changed
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = _once(rng, content)
    return content


def _once(rng: Random, content: bytes) -> bytes:
    kind = rng.randrange(15)
    n = len(content)
    if not n:
        return rng.choice(_BYTES)
    place, end = rng.randrange(n), min(n, rng.randrange(n) + 1)
    if kind < 3:  # bits
        changed = bytearray(content)
        for _ in range(rng.choice((1, 1, 2, 8))):
            changed[rng.randrange(n)] ^= 1 << rng.randrange(8)
        return bytes(changed)
    if kind == 3:
        return content[:place]
    if kind == 4:
        return content[:place] + rng.choice(_BYTES) * rng.choice((1, 1, 1, 3, 500)) + content[place:]
    if kind == 5:
        return (
            content[:place] + rng.randbytes(rng.choice((1, 4, 16, 200))) + content[place + rng.choice((0, 1, 4, 16)) :]
        )
    if kind == 6:
        return content[: min(place, end)] + content[max(place, end) :]
    if kind == 7:
        return content + content[min(place, end) : max(place, end)]
    if kind == 8:
        lines = content.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    if kind == 9:
        lines = content.split(b"\n")
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        act = rng.randrange(3)
        if act == 0:
            lines[a], lines[b] = lines[b], lines[a]
        elif act == 1:
            lines.insert(a, lines[b])
        else:
            del lines[a]
        return b"\n".join(lines)
    if kind == 10:
        return _replaced(rng, content, _NUMBER, _NUMBERS)
    if kind == 11:
        return _replaced(rng, content, _STRING, _STRINGS)
    if kind == 12:
        return _replaced(
            rng, content, _WORD, (b"", b"x", b"NaN", b"null", b"id", b"a b", b"\xc3\xa9", b"'", b"prediction")
        )
    if kind == 13:  # nesting
        depth = rng.choice((5, 100, 3000, 200_000))
        opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")))
        return content[:place] + opening * depth + (closing * depth if rng.random() < 0.5 else b"") + content[place:]
    return rng.choice(
        (
            b"",
            b"\n",
            content * 2,
            content[::-1],
            b"\xff" * 64,
            b"<html></html>",
            b"PK\x03\x04",
            b"\x80\x04.",
            b"\x1f\x8b",
            b"PAR1",
            b"SQLite format 3\x00",
            b"{}",
            b"[]",
            b"null",
        )
    )


def _replaced(rng: Random, content: bytes, pattern: re.Pattern[bytes], others: tuple[bytes, ...]) -> bytes:
    found = list(pattern.finditer(content[:200_000]))
    if not found:
        return content + rng.choice(others)
    match = rng.choice(found)
    return content[: match.start()] + rng.choice(others) + content[match.end() :]


def _odd_nodes() -> list[Any]:
    return [
        None,
        True,
        False,
        0,
        -1,
        3,
        10**30,
        1.5,
        float("nan"),
        float("inf"),
        "",
        "x",
        "nan",
        "a\nb",
        "\x1b[31m",
        "\u202e",
        "a\x00",
        "x" * 300,
        [],
        [[]],
        {},
        {"a": 1},
        [None],
        ["a", 3],
        {"": {}},
        [{}],
        "../x",
        "/etc/passwd",
    ]


def _other_entry(rng: Random, content: bytes) -> bytes | None:
    """JSON, or a line of JSON, with another entry somewhere; None where there is none."""
    lines = [content] if rng.random() < 0.5 else content.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        document = json.loads(lines[at])
    except (ValueError, RecursionError):
        try:
            document, at, lines = json.loads(content), 0, [content]
        except (ValueError, RecursionError):
            return None
    if not isinstance(document, (dict, list)) or not document:
        return None
    for _ in range(rng.choice((1, 1, 2))):
        _change(rng, document)
    indent = 1 if len(lines) == 1 and b"\n" in content.strip() else None
    lines[at] = json.dumps(document, indent=indent, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def _change(rng: Random, document: Any) -> None:
    """Another node in place of one, or one more, or one less."""
    node: Any = document
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = rng.choice(keys)
        below = node[key]
        if isinstance(below, (dict, list)) and below and rng.random() < 0.75:
            node = below
            continue
        break
    act = rng.randrange(6)
    if act < 3:
        node[key] = rng.choice(_odd_nodes())
    elif act == 3:
        del node[key]
    elif isinstance(node, dict):
        other = rng.choice(["x", "", "id", "baseline", "b", "kind", "nan", "format_version", *map(str, keys)])
        node[other] = node.pop(key) if act == 4 else rng.choice(_odd_nodes())
    else:
        node.insert(key, rng.choice(_odd_nodes()))
