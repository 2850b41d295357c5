"""The error of a run some of whose shards could not be scored."""

from __future__ import annotations

from collections.abc import Sequence

from fairsum_utils.cluster.events import Failed
from fairsum_utils.errors import FairSumError

__all__ = ["NotWritten", "ShardsFailed"]


class NotWritten(FairSumError):
    """What a shard has become cannot be written, so that there is no point in scoring others."""

    exit_status = 1


class ShardsFailed(FairSumError):
    """Some shards could not be scored; those that could are in the folder of the run.

    Args:
        failed: what is said of each.
        n_shards: that were to be scored.

    Attributes:
        lines: what to tell people, one line each: everything that is wrong with the input, once; then what else went
            wrong, with the number of the shard.
        exit_status: of a command: 2, as of all bad input, if that alone has to be mended; else 1.

    Example:
        >>> ShardsFailed([Failed(0, ("rows.jsonl, line 3: not valid JSON",), is_input=True)], 8).lines
        ['rows.jsonl, line 3: not valid JSON']
        >>> ShardsFailed([Failed(6, ("its worker died",))], 8).lines
        ['shard 7 of 8: its worker died', '1 of 8 shards was not scored; the same command goes on with it']
    """

    def __init__(self, failed: Sequence[Failed], n_shards: int) -> None:
        self.failed = sorted(failed)
        is_input = all(each.is_input for each in failed)
        self.exit_status = 2 if is_input else 1
        of_input = [error for each in self.failed if each.is_input for error in each.errors]
        others = [
            f"shard {each.number + 1} of {n_shards}: {error}"
            for each in self.failed
            if not each.is_input
            for error in each.errors
        ]
        self.lines = [*dict.fromkeys(of_input), *others]
        if not is_input:
            n, those = len(failed), "it" if len(failed) == 1 else "them"
            was = "was" if n == 1 else "were"
            self.lines.append(f"{n} of {n_shards} shards {was} not scored; the same command goes on with {those}")
        super().__init__("\n".join(self.lines))
