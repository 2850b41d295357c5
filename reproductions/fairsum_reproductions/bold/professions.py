"""Male and female texts on professions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairsum_reproductions.label_tables import by_system, domain_table
from fairsum_reproductions.labels import professions
from fairsum_reproductions.texts import continued_texts, texts_input
from fairsum_utils.errors import InputError
from fairsum_utils.measures.gender_polarity import GenderPolarity
from fairsum_utils.reports.panels import Drawing
from fairsum_utils.reports.tables import Marked, Part, Table
from fairsum_utils.settings import Settings, setting
from fairsum_utils.stats.arrays import exact_mean

INPUTS = (texts_input({"group": "profession of the prompt"}, {"name": "Wikipedia page of the prompt"}),)

# Method -> its name in table 3, in its order.
_METHODS = {"max": "Gender-Max", "wavg": "Gender-Wavg", "unigram": "Unigram"}
_ROW = ("n", "n_male", "n_female", "male_to_female", "male_minus_female")


class ProfessionSettings(Settings):
    """Masking of names, and merging of professions."""

    merge: bool = setting(
        True,
        "merge BOLD's professions to the four groups of the paper's table 3; False keeps the groups",
        key="merged",
    )
    mask: bool = setting(
        True,
        "replace the prompt's subject by XYZ if rows have its name",
        key="masked",
    )


SETTINGS = ProfessionSettings


def compute(texts: Mapping[str, Any], *, settings: ProfessionSettings) -> dict[str, Any]:
    """Count male and female texts by system, method and group, with mean ratios."""
    found = continued_texts(settings.module, texts)
    groups: dict[str, dict[str, Any]] = {}
    means: dict[str, dict[str, float]] = {}
    fine: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for system, rows in found.items():
        scored = _scored(settings, system, rows)
        merge = _merged(settings, system, scored["max"]["n_by_group"]) if settings.merge else None
        fine[system] = _by_group(scored["max"])
        groups[system] = {method: _by_group(result, merge) for method, result in scored.items()}
        means[system] = {}
        for method, counts in groups[system].items():
            means[system][method] = exact_mean([row["male_to_female"] for row in counts.values()])
            if without := [group for group, row in counts.items() if not row["n_female"]]:
                undefined[f"{_METHODS[method]} of {system}"] = f"no text on women in {', '.join(without)}"
    return {
        "groups": groups,
        "mean_male_to_female": means,
        "fine": fine,
        "n_samples": {system: len(rows) for system, rows in found.items()},
        "masked": settings.mask and any("name" in rows[0] for rows in texts.values()),
        "undefined": undefined,
    }


def _scored(settings: ProfessionSettings, system: str, rows: Sequence[tuple[str, Any]]) -> Mapping[str, Any]:
    """Score the texts by each method."""
    from fairsum_utils.corpora.bold import anonymize_text
    from fairsum_utils.session import Request, Session

    plain = GenderPolarity(confidence_level=None)
    requests = [Request(plain.replace(method=method), method) for method in _METHODS]
    session = Session(requests, module=f"{settings.module}: {system}")
    masks = [settings.mask and row.get("name") for _, row in rows]
    texts = [anonymize_text(text, mask) if mask else text for (text, _), mask in zip(rows, masks, strict=True)]
    session.add({"predictions": texts, "groups": [row["group"] for _, row in rows]})
    return session.results()


def _by_group(result: Mapping[str, Any], merge: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
    return {row["group"]: {key: row[key] for key in _ROW} for row in domain_table(result, merge)}


def _merged(settings: ProfessionSettings, system: str, groups: Iterable[str]) -> dict[str, list[str]]:
    merge = professions(groups)
    if not merge:
        raise InputError(
            f"{settings.module}: no group of {system} is a profession of BOLD, found {', '.join([*groups][:20])}; "
            "for other groups set merge=False (--as-they-are)"
        )
    return merge


def parts(result: dict[str, Any]) -> list[Part]:
    """Table 3, and the means of section 6.2."""
    systems = result["groups"]
    rows: list[list[Any]] = []
    for group in dict.fromkeys(group for methods in systems.values() for group in methods["max"]):
        for system, methods in systems.items():
            if group not in methods["max"]:
                continue
            rows.append([group, system, methods["max"][group]["n"]])
            for counts in (methods[method][group] for method in _METHODS):
                more = "*" if counts["n_female"] > counts["n_male"] else ""
                rows[-1] += [counts["n_male"], counts["n_female"], Marked(counts["male_to_female"], more, 2)]
    columns = [f"{name} {what}" for name in _METHODS.values() for what in ("male", "female", "ratio")]
    means = [
        [system, *(Marked(of_system[method], digits=2) for method in _METHODS)]
        for system, of_system in result["mean_male_to_female"].items()
    ]
    title = "Texts on men and on women, and male : female (* more on women)"
    return [
        Table(["group", "model", "total", *columns], rows, title, n_texts=2),
        Table(["model", *_METHODS.values()], means, "Mean of male : female over the groups"),
    ]


def drawing(result: dict[str, Any]) -> Drawing:
    """Draw figure 2: male minus female share by profession and system."""
    fine = {
        system: {group.replace("_", " "): row for group, row in rows.items()} for system, rows in result["fine"].items()
    }
    differences = {
        system: {group: row["male_minus_female"] for group, row in rows.items()} for system, rows in fine.items()
    }
    notes = {
        group: f"n = {max(rows[group]['n'] for rows in fine.values() if group in rows)}"
        for group in sorted({group for rows in fine.values() for group in rows})
    }
    axis = "Fraction of texts on men minus that on women, by Gender-Max; right of 0: more on men"
    panel = by_system("Male minus female, by profession", differences, notes, axis, even=True)
    return Drawing("Texts on men and on women", [panel])
