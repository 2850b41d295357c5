"""Results in an experiment tracker, beside the numbers of a training run: `track`.

Nothing is sent to a server unless the tracker's own settings say so.
"""

from fairsum_utils.tracking.track import Worst, require_tracker, track, tracker_names

__all__ = ["Worst", "require_tracker", "track", "tracker_names"]
