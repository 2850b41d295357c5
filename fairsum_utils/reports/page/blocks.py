"""Large parts of a page: texts in blocks that the browser unpacks when it shows them, and drawings for two widths."""

from __future__ import annotations

import base64
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from tempfile import SpooledTemporaryFile
from typing import IO

_SIZE = 1 << 18
"""Characters of a block; to unpack it takes a browser some milliseconds."""
_FIRST = 100
"""Texts that tell which tags are common."""
_MEMORY = 1 << 26
"""Bytes of packed blocks that are kept in memory; more go to a file."""

SEPARATOR = "\x1e"
"""Stands between the texts of a block."""
SIGNS = [chr(code) for code in range(1, 0x1E) if chr(code) not in "\t\n\r"]
"""Characters that stand for tags: no text of a page holds them, see `fairsum_utils.reports.page.marks.with_signs`."""
_TAG = re.compile(r"<[^<>]*>|&[^;<>]*;")


def packed(text: str) -> str:
    """A text, compressed, in letters that HTML leaves alone.

    Example:
        >>> packed("soup")
        'K84vLQAA'
    """
    compress = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9)
    return base64.b64encode(compress.compress(text.encode()) + compress.flush()).decode()


class Blocks:
    """Takes HTML, text by text, and gives it back in packed blocks. What is taken need not fit into memory.

    In a block the tags that are the commonest in the first texts are one character each.
    """

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.lengths: list[int] = []
        self._file: IO[bytes] = SpooledTemporaryFile(_MEMORY)  # noqa: SIM115 (closed by `close`)

    def take(self, texts: Iterable[str]) -> None:
        """Pack texts; called once."""
        try:
            self._take(iter(texts))
        except BaseException:
            self.close()
            raise

    def _take(self, remaining: Iterator[str]) -> None:
        first = list(islice(remaining, _FIRST))
        self.tags = _commonest(first)
        table = dict(zip(self.tags, SIGNS, strict=False))
        block: list[str] = []
        size = 0
        for some in (first, remaining):
            for text in some:
                block.append(_TAG.sub(lambda tag: table.get(tag[0], tag[0]), text))
                size += len(block[-1])
                if size >= _SIZE:
                    self._write(block)
                    block, size = [], 0
        if block:
            self._write(block)

    def _write(self, block: Sequence[str]) -> None:
        self.lengths.append(len(block))
        self._file.write(packed(SEPARATOR.join(block)).encode() + b"\n")

    def __iter__(self) -> Iterator[str]:
        """The blocks as `packed` writes them, in their order."""
        self._file.seek(0)
        for line in self._file:
            yield line.decode().rstrip("\n")

    def close(self) -> None:
        """Forget the blocks."""
        self._file.close()


def _commonest(texts: Iterable[str]) -> list[str]:
    """The tags and entities that take most room."""
    counted = Counter(tag for text in texts for tag in _TAG.findall(text))
    ranked = sorted(counted, key=lambda tag: (-counted[tag] * (len(tag) - 1), tag))
    return ranked[: len(SIGNS)]
