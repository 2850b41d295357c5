"""What a session has taken in: rows in columns here, or their sums in buckets, which travel and add up."""

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
from fairsum_utils.stats.sums import BucketSums, Sums, digest_of

if TYPE_CHECKING:
    from fairsum_utils.families import Family

__all__ = ["State", "Taken", "digest_sum"]

_DIGESTS = 1 << 64

_LAYOUT = 2
"""Layout of the bytes of a state; those of another one are refused."""


class Taken:
    """The rows of some samples in columns, and what their ids hash to.

    Args:
        family: of the rows.
    """

    def __init__(self, family: Family) -> None:
        self.family = family
        self.table = family.table()
        self._digests = array("Q")  # empty as long as nobody says ids: the indices of the rows stand for them

    def __len__(self) -> int:
        """Samples, scored or not."""
        return len(self.table.columns["skipped"].present)

    def extend(self, rows: Sequence[Any], ids: Iterable[str] | None = None) -> None:
        """Take rows in.

        Args:
            rows: of the family.
            ids: of their samples; None for their indices.
        """
        if ids is not None or self._digests:
            self._name(len(self))
            self._digests.extend(map(digest_of, ids if ids is not None else (str(row.index) for row in rows)))
        self.table.extend(rows)

    def merge(self, other: Self) -> None:
        """Take in the rows of another."""
        n, more = len(self), len(other)
        self.table.merge(other.table)
        if self._digests or other._digests:
            other._name(more)
            self._name(n)
            self._digests.extend(other._digests)

    def _name(self, n: int) -> None:
        """Let the indices of the first n rows be their ids, if they have no others."""
        if not self._digests:
            self._digests.extend(map(digest_of, map(str, self.table.columns["index"].array[:n])))

    def digests(self) -> np.typing.NDArray[np.uint64]:
        """What the ids of the scored samples hash to, in their order."""
        self._name(len(self))
        return np.asarray(self._digests, dtype=np.uint64)[~self._is_skipped()]

    def _is_skipped(self) -> np.typing.NDArray[np.bool_]:
        return np.asarray(self.table.columns["skipped"].present, dtype=np.bool_)

    def digest(self) -> int:
        """Digest of the ids and contents of the scored samples, whatever their order."""
        contents = np.asarray(self.table.columns["content"].array, dtype=np.int64)[~self._is_skipped()]
        pairs = zip(self.digests().tolist(), contents.tolist(), strict=True)
        return digest_sum(digest_of(f"{name} {content}") for name, content in pairs)

    def sums(self, measures: Sequence[str], settings: Any, scorer: Any) -> Sums | BucketSums:
        """What measures need of the rows, as their settings have the bootstrap.

        Args:
            measures: of the family.
            settings: of these; seeded and sized.
            scorer: that made the rows.
        """
        sums = self.family.sums(self.table, measures, settings, scorer)
        if settings.bootstrap is None:
            return sums
        return sums.bucketed(self.digests() if sums.names is None else ())


class State:
    """What a session needs of any number of rows, in a fixed number of sums: made where the rows are, merged anywhere.

    Neither the order nor the number of the parts changes a bit of what they add up to.

    Args:
        passes: for each pass of the session, for each of its calls the sums.
        given: for each pass the columns that the samples had.
        digest: for each pass that of the ids and contents of the scored samples, whatever their order.
        asked: for each pass, for each of its calls what the sums are of: ``measures``, and setting -> value, as JSON
            has it.

    Example:
        >>> from fairsum_utils.session.session import Request, Session
        >>> columns = {"predictions": ["Tasty."], "sources": [["Tasty.", "Awful."]], "values": [["pos", "neg"]]}
        >>> with Session([Request("bur")]) as session:
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
        asked: Sequence[Sequence[Mapping[str, Any]]],
    ) -> None:
        self.passes = [list(calls) for calls in passes]
        self.given = [set(names) for names in given]
        self.digest = list(digest)
        self.asked = asked

    @property
    def n_samples(self) -> int:
        """Samples, scored or not."""
        first = self.passes[0][0]
        return first.n_samples + first.skipped.total()

    def merge(self, other: State) -> None:
        """Add the state of other samples, which the same requests have scored.

        Raises:
            InputError: a state of other requests.
        """
        self.check("merge", other.asked)
        for mine, theirs in zip(self.passes, other.passes, strict=True):
            for sums, more in zip(mine, theirs, strict=True):
                sums.merge(more)
        for names, more_names in zip(self.given, other.given, strict=True):
            names |= more_names
        self.digest = [(a + b) % _DIGESTS for a, b in zip(self.digest, other.digest, strict=True)]

    def check(self, module: str, asked: Sequence[Sequence[Mapping[str, Any]]]) -> None:
        """Refuse what is asked for and is not what the sums are of.

        Args:
            module: name used in messages.
            asked: as of the class.

        Raises:
            InputError: it is so; other measures, or the settings that differ.
        """
        mine, others = list(chain.from_iterable(self.asked)), list(chain.from_iterable(asked))
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
        """As Arrow tables, one after the other, below a checksum and a line that says of what."""
        import pyarrow.ipc

        told = {
            "layout": _LAYOUT,
            "version": __version__,
            "given": list(map(sorted, self.given)),
            "digest": self.digest,
            "asked": self.asked,
        }
        file = io.BytesIO()
        file.write(json.dumps(told).encode() + b"\n")
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
        """Of what `to_bytes` made.

        Raises:
            InputError: it is something else, damaged, or of another version of the package.
        """
        import pyarrow.ipc

        checksum, _, rest = content.partition(b"\n")
        if checksum != _checksum(rest):
            raise InputError("not a whole state: the file is damaged, or something else; make it again")
        file = io.BytesIO(rest)
        told = json.loads(file.readline())
        if (told.get("layout"), told["version"]) != (_LAYOUT, __version__):
            raise InputError(
                f"a state of version {told['version']} (layout {told.get('layout', 1)}) of the package, and this is "
                f"{__version__} (layout {_LAYOUT}); make it again: fairsum score FILE --checkpoint DIR"
            )
        passes = [
            [BucketSums.from_arrow(pyarrow.ipc.open_stream(file).read_all()) for _ in calls] for calls in told["asked"]
        ]
        return cls(passes, told["given"], told["digest"], told["asked"])


def _checksum(content: bytes) -> bytes:
    """Tells whether bytes are what was written: a bit that flips changes the results of everything."""
    return blake2b(content, digest_size=16).hexdigest().encode()


def digest_sum(digests: Iterable[int]) -> int:
    """One digest of many, whatever their order.

    Args:
        digests: of samples.
    """
    return sum(map(int, digests)) % _DIGESTS
