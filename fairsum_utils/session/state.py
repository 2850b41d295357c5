"""Samples of a session: rows in columns, or mergeable bucket sums."""

from __future__ import annotations

import io
import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.notes import count_rows
from fairsum_utils.stats.sums import BucketSums, Sums, digest_of

if TYPE_CHECKING:
    from fairsum_utils.families import Family

_DIGESTS = 1 << 64

_LAYOUT = 2
"""Layout of the bytes of a state; others are refused."""


class ScoredSamples:
    """Rows of a family in columns, with digests of their ids."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.table = family.table()
        self._digests = array("Q")  # empty while the indices of all rows are their ids

    def __len__(self) -> int:
        """Number of samples, scored or not."""
        return len(self.table.columns["index"].array)

    def extend(self, rows: Sequence[Any], ids: Iterable[str] | None = None) -> None:
        """Add rows of samples with these ids, or their indices."""
        if ids is not None or self._digests:
            self._name(len(self))
            self._digests.extend(map(digest_of, ids if ids is not None else (str(row.index) for row in rows)))
        self.table.extend(rows)

    def merge(self, other: Self) -> None:
        """Add the rows of another."""
        n, more = len(self), len(other)
        self.table.merge(other.table)
        if self._digests or other._digests:
            other._name(more)
            self._name(n)
            self._digests.extend(other._digests)

    def _name(self, n: int) -> None:
        """Use the indices of the first n rows as ids, if they have none."""
        if not self._digests:
            self._digests.extend(map(digest_of, map(str, self.table.columns["index"].array[:n])))

    def digests(self) -> np.typing.NDArray[np.uint64]:
        """Return the digests of the ids of the scored samples, in order."""
        self._name(len(self))
        return np.asarray(self._digests, dtype=np.uint64)[self.table.is_scored]

    def digest(self) -> int:
        """Return an order-independent digest of the scored samples."""
        contents = self.table.scored("content")
        pairs = zip(self.digests().tolist(), contents.tolist(), strict=True)
        return digest_sum(digest_of(f"{name} {content}") for name, content in pairs)

    def sums(self, measures: Sequence[str], settings: Any, scorer: Any, *, in_buckets: bool) -> Sums | BucketSums:
        """Sum the columns that measures need, for their bootstrap."""
        sums = self.family.sums(self.table, measures, settings, scorer)
        sums.counts.update(("note", note) for note in self.table.columns["notes"].flat.items())
        sums.counts.update(count_rows(self.table))
        if not in_buckets:
            return sums
        return sums.bucketed(self.digests() if sums.names is None else ())


class State:
    """Mergeable sums of a session's samples, of fixed size.

    Neither the order nor the number of the parts changes a bit of the results.

    Example:
        >>> from fairsum_utils.session import Request, Session
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> from fairsum_utils.measures.bur import BUR
        >>> with Session([Request(BUR())]) as session:
        ...     session.add(columns)
        ...     first = session.state()
        ...     session.reset()
        ...     session.add(columns, start=1)
        ...     first.merge(State.from_bytes(session.state().to_bytes()))
        ...     session.results(first)["bur"]["n_samples"]
        2
    """

    def __init__(
        self,
        passes: Sequence[Sequence[BucketSums]],
        given: Sequence[Iterable[str]],
        digest: Sequence[int],
        contents: Sequence[Sequence[Mapping[str, Any]]],
    ) -> None:
        self.passes = [list(calls) for calls in passes]
        self.given = [set(names) for names in given]
        self.digest = list(digest)
        self.contents = contents

    @property
    def n_samples(self) -> int:
        """Number of samples, scored or not."""
        first = self.passes[0][0]
        return first.n_samples + first.skipped.total()

    def merge(self, other: State) -> None:
        """Add the state of other samples of the same requests."""
        self.check("merge", other.contents)
        for mine, theirs in zip(self.passes, other.passes, strict=True):
            for sums, more in zip(mine, theirs, strict=True):
                sums.merge(more)
        for names, more_names in zip(self.given, other.given, strict=True):
            names |= more_names
        self.digest = [(a + b) % _DIGESTS for a, b in zip(self.digest, other.digest, strict=True)]

    def check(self, module: str, contents: Sequence[Sequence[Mapping[str, Any]]]) -> None:
        """Reject a state whose contents differ from this one."""
        mine, others = list(chain.from_iterable(self.contents)), list(chain.from_iterable(contents))
        names = {"measures"}
        if [call["measures"] for call in mine] == [call["measures"] for call in others]:
            pairs = zip(mine, others, strict=True)
            names = {name for one, other in pairs for name in {*one, *other} if one.get(name) != other.get(name)}
        if names:
            raise InputError(
                f"{module}: a state of other {', '.join(sorted(names))} than the rest; score all parts with the same "
                "measures and settings"
            )

    def to_bytes(self) -> bytes:
        """Write the state as Arrow tables after a checksum and a header."""
        import pyarrow.ipc

        header = {
            "layout": _LAYOUT,
            "version": __version__,
            "given": list(map(sorted, self.given)),
            "digest": self.digest,
            "asked": self.contents,
        }
        file = io.BytesIO()
        file.write(json.dumps(header).encode() + b"\n")
        packed = pyarrow.ipc.IpcWriteOptions(compression="zstd")
        for calls in self.passes:
            for sums in calls:
                table = sums.to_arrow()
                with pyarrow.ipc.new_stream(file, table.schema, options=packed) as stream:
                    stream.write_table(table)
        content = file.getvalue()
        return _checksum(content) + b"\n" + content

    @classmethod
    def from_bytes(cls, content: bytes) -> State:
        """Read what `to_bytes` wrote."""
        import pyarrow.ipc

        checksum, _, rest = content.partition(b"\n")
        if checksum != _checksum(rest):
            raise InputError("not a whole state: the file is damaged, or something else; make it again")
        file = io.BytesIO(rest)
        header = json.loads(file.readline())
        if (header.get("layout"), header["version"]) != (_LAYOUT, __version__):
            raise InputError(
                f"a state of version {header['version']} (layout {header.get('layout', 1)}) of the package, and this "
                f"is {__version__} (layout {_LAYOUT}); make it again: fairsum score FILE --checkpoint DIR"
            )
        passes = [
            [BucketSums.from_arrow(pyarrow.ipc.open_stream(file).read_all()) for _ in calls]
            for calls in header["asked"]
        ]
        return cls(passes, header["given"], header["digest"], header["asked"])


def _checksum(content: bytes) -> bytes:
    """Checksum bytes: one flipped bit would change all results."""
    return blake2b(content, digest_size=16).hexdigest().encode()


def digest_sum(digests: Iterable[int]) -> int:
    """Combine digests into one, independent of their order."""
    return sum(map(int, digests)) % _DIGESTS
