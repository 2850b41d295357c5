"""All samples of a page in numbers, and which of them are shown."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping

from fairsum_utils.reports.page.sample import Lens, Sampled, readings, scores, spread
from fairsum_utils.reports.wording import listed
from fairsum_utils.validation import count

# Samples on a page: a reader looks at no more, and the file stays small
MOST = 500
# Samples that are drawn from all; the others are the worst of each measure
DRAWN = 100
# Smallest number of worst samples of a measure
_FEWEST = 20


class Outline:
    """Numbers of all samples, added one by one; texts are not kept.

    Attributes:
        readings: ways in which the measures read the texts.
        spreads: group -> its numbers, by reading; see `Report.spread`.

    Example:
        >>> outline = Outline({})
        >>> for place in range(600):
        ...     outline.add(Sampled(f"r{place}", "", place, {}, {}))
        >>> len(outline.shown()), outline.notes()
        (100, ['Of 600 samples 100 drawn at random are shown. The distributions are those of all.'])
    """

    def __init__(self, lenses: Mapping[str, Lens]) -> None:
        self.readings = readings(lenses)
        self.spreads: list[dict[str, list[float]]] = [{} for _ in self.readings]
        self._lenses = lenses
        self._n_worst = max((MOST - DRAWN) // max(len(lenses), 1), _FEWEST)
        self._ids: set[str] = set()
        # Measure, or "" of what is drawn -> ids of the samples with the largest keys
        self._kept: dict[str, dict[str, tuple[float, ...]]] = {label: {} for label in ("", *lenses)}

    def add(self, given: Sampled) -> None:
        """Take in a sample of a system; its texts are not needed."""
        self._ids.add(given.id)
        digest = hashlib.blake2b(given.id.encode(errors="surrogatepass"), digest_size=8).digest()
        self._keep("", given.id, (int.from_bytes(digest),))
        for label, found in scores(self._lenses, given.records).items():
            if found:
                self._keep(label, given.id, tuple(found.values()))
        for reading, of_reading in zip(self.readings, self.spreads, strict=True):
            for value, figure in spread(reading, given.records).items():
                numbers = of_reading.setdefault(value, [])
                if math.isfinite(figure):
                    numbers.append(figure)

    def _keep(self, label: str, name: str, key: tuple[float, ...]) -> None:
        """Keep a sample if its key is among the largest."""
        kept = self._kept[label]
        kept[name] = max(kept.get(name, key), key)
        if len(kept) > 2 * self._n(label):
            self._kept[label] = {each: kept[each] for each in self._largest(label)}

    def _n(self, label: str) -> int:
        return self._n_worst if label else DRAWN

    def _largest(self, label: str) -> list[str]:
        """Return the samples with the largest keys, the largest first."""
        kept = self._kept[label]
        return sorted(kept, key=kept.__getitem__, reverse=True)[: self._n(label)]

    def shown(self) -> set[str]:
        """Return the ids of the samples that are shown."""
        if len(self._ids) <= MOST:
            return set(self._ids)
        return {name for label in self._kept for name in self._largest(label)}

    def notes(self) -> list[str]:
        """Say which samples are shown, if not all."""
        if len(self._ids) <= MOST:
            return []
        kinds = [f"{DRAWN} drawn at random"]
        if self._lenses:
            each = " by each measure" if len(self._lenses) > 1 else ""
            kinds.insert(0, f"the {self._n_worst} worst{each}")
        return [f"Of {count(len(self._ids), 'sample')} {listed(kinds)} are shown. The distributions are those of all."]
