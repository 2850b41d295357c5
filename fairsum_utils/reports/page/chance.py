"""What chance would have made of the samples of a page, found out as they pass by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from fairsum_utils.family.chance import Chance, Expected
from fairsum_utils.reports.page.contents import Lens, Sampled
from fairsum_utils.reports.page.sample import readings

__all__ = ["Chances"]


class Chances:
    """Takes in the samples of a page on their way to it.

    Args:
        lenses: label -> measure with which the samples were scored.
    """

    def __init__(self, lenses: Mapping[str, Lens]) -> None:
        n_labels = Counter(lens.measure for lens in lenses.values())
        self._groups: list[tuple[dict[str, Lens], Chance]] = []
        self._systems: set[str] = set()
        # A measure that is asked for twice has two scores by chance, and a place for one.
        once = {label: lens for label, lens in lenses.items() if lens.settings and n_labels[lens.measure] == 1}
        for reading in readings(once):
            for members in _alike(reading.lenses):
                lenses_of = list(members.values())
                chance = reading.family.chance([lens.measure for lens in lenses_of], lenses_of[0].settings)
                if chance is not None:
                    self._groups.append((members, chance))

    def passing(self, samples: Iterable[Sampled]) -> Iterator[Sampled]:
        """The same samples, each taken in before it is given.

        Args:
            samples: of a page.
        """
        for sampled in samples:
            self._systems.add(sampled.system)
            for members, chance in self._groups:
                record = next((sampled.records[label] for label in members if label in sampled.records), None)
                if record is not None and sampled.sample:
                    chance.add(sampled.sample, record)
            yield sampled

    def expected(self) -> dict[str, Expected]:
        """Measure -> what chance would give, of one system all of whose samples went by with their texts."""
        if len(self._systems) != 1:
            return {}
        return {
            lens.measure: told[lens.measure]
            for members, chance in self._groups
            for told in [chance.expected()]
            for lens in members.values()
            if lens.measure in told and lens.result.get("n_samples") == chance.n_samples
        }


def _alike(lenses: Mapping[str, Lens]) -> list[dict[str, Lens]]:
    """Lenses whose settings are the same, those of the results too, such as tau."""
    groups: list[dict[str, Lens]] = []
    for label, lens in lenses.items():
        members = next((group for group in groups if next(iter(group.values())).settings == lens.settings), None)
        if members is None:
            groups.append(members := {})
        members[label] = lens
    return groups
