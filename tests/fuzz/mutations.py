"""Damage to files: bits, cuts, numbers, words, nesting, and other entries in place of those of JSON."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any

_TOKEN = re.compile(rb'"[^"\n]{0,60}"|\d+(?:\.\d+)?|[A-Za-z_]{2,}')
_OTHERS = (
    b"-1", b"0", b"1e999", b"9" * 25, b"1" * 5000, b"NaN", b"-Infinity", b"0x1f", b"1.5", b"00", b"\xd9\xa3", b"",
    b'"\\ud800"', b'"\\u0000"', b'"\\u001b[31m"', b'""', b"null", b"[]", b"{}", b'[["a"]]', b'"' + b"a" * 300 + b'"',
    b"true", b'"\xff"', b'"../../x"', b'"\\u202e"', b"x", b"id", b"a b", b"'", b"prediction",
)  # fmt: skip
"""What may stand in place of a number, a string or a word."""

_BYTES = (
    b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b'"', b"'", b",", b"\t", b";", b"[", b"]",
    b"{", b"}", b"\\", b"\x80", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\x1b[31m", b"=", b"\x1a",
)  # fmt: skip

_OTHER_FILES = (
    b"", b"\n", b"\xff" * 64, b"<html></html>", b"PK\x03\x04", b"\x80\x04.", b"\x1f\x8b", b"PAR1",
    b"SQLite format 3\x00", b"{}", b"[]", b"null",
)  # fmt: skip

_ENTRIES: tuple[Any, ...] = (
    None, True, False, 0, -1, 3, 10**30, 1.5, float("nan"), float("inf"), "", "x", "nan", "a\nb", "\x1b[31m", "\u202e",
    "a\x00", "x" * 300, [], [[]], {}, {"a": 1}, [None], ["a", 3], {"": {}}, [{}], "../x", "/etc/passwd",
)  # fmt: skip


def _entry(rng: Random) -> Any:
    return copy.deepcopy(rng.choice(_ENTRIES))  # it may be changed in turn


def mutated(rng: Random, content: bytes) -> bytes:
    """Damage a file in one to three ways."""
    if rng.random() < 0.35 and (changed := _other_entry(rng, content)) is not None:
        return changed
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = rng.choice(_WAYS)(rng, content) if content else rng.choice(_BYTES)
    return content


def _bits(rng: Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8))):
        changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _bytes(rng: Random, content: bytes) -> bytes:
    """Cut, insert, overwrite or double some bytes."""
    place, end = sorted(rng.randrange(len(content)) for _ in range(2))
    inserted = rng.choice(_BYTES) * rng.choice((1, 1, 1, 3, 500))
    noise = rng.randbytes(rng.choice((1, 4, 16, 200)))
    return rng.choice(
        (
            content[:place],
            content[:place] + content[end + 1 :],
            content[:place] + inserted + content[place:],
            content[:place] + noise + content[place + rng.choice((0, 1, 4, 16)) :],
            content + content[place : end + 1],
        )
    )


def _token(rng: Random, content: bytes) -> bytes:
    found = list(_TOKEN.finditer(content[:200_000]))
    if not found:
        return content + rng.choice(_OTHERS)
    match = rng.choice(found)
    return content[: match.start()] + rng.choice(_OTHERS) + content[match.end() :]


def _nesting(rng: Random, content: bytes) -> bytes:
    place, depth = rng.randrange(len(content)), rng.choice((5, 100, 3000, 200_000))
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")))
    return content[:place] + opening * depth + (closing * depth if rng.random() < 0.5 else b"") + content[place:]


def _whole(rng: Random, content: bytes) -> bytes:
    return rng.choice((*_OTHER_FILES, content * 2, content[::-1]))


_WAYS = (_bits, _bits, _bits, _bytes, _bytes, _bytes, _bytes, _token, _token, _token, _nesting, _whole)


def _other_entry(rng: Random, content: bytes) -> bytes | None:
    """Put another entry into JSON, or into a line of JSON; None where there is none."""
    lines = [content] if rng.random() < 0.5 else content.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        document = json.loads(lines[at])
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, (dict, list)) or not document:
        return None
    for _ in range(rng.choice((1, 1, 2))):
        _change(rng, document)
    indent = 1 if len(lines) == 1 and b"\n" in content.strip() else None
    lines[at] = json.dumps(document, indent=indent, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def _change(rng: Random, node: Any) -> None:
    """Replace, rename, add or remove an entry somewhere in a document."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = rng.choice(keys)
        below = node[key]
        if not (isinstance(below, (dict, list)) and below and rng.random() < 0.75):
            break
        node = below
    way = rng.randrange(6)
    if way < 3:
        node[key] = _entry(rng)
    elif way == 3:
        del node[key]
    elif isinstance(node, dict):
        other = rng.choice(["x", "", "id", "baseline", "b", "kind", "nan", "format_version", *map(str, keys)])
        node[other] = node.pop(key) if way == 4 else _entry(rng)
    else:
        node.insert(key, _entry(rng))
