"""Results in an experiment tracker, beside the numbers of a training run: `track`.

`contents` says what a run gets, the same for every tracker; each file of ``trackers/`` hands that to one of them, and
is found by its name. Nothing is sent to a server unless the tracker is told so by its own settings.
"""

from fairsum_utils.tracking.track import Worst, require_tracker, track, tracker_names

__all__ = ["Worst", "require_tracker", "track", "tracker_names"]
