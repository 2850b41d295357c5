"""Words that outputs use: one meaning each; `fairsum explain` and the glossary page read them."""

from __future__ import annotations

from collections.abc import Mapping

GLOSSARY: Mapping[str, str] = {
    "attribute": "A property that divides the people behind the sources, such as gender, party or the stars of a "
    "review. Your data must contain it. fairsum never guesses it from a text.",
    "group": "All sources with the same value of the attribute, in one sample or in the whole data set. The papers say "
    '"value of a social attribute", so the column with one label per source is called `values`.\n\n'
    "Example: the groups of the attribute stars are 1, 2, 3, 4 and 5.",
    "sample": "One summary with its sources. Most scores are means over samples. A sample that cannot be scored is "
    "skipped, and the output counts skipped samples by reason.\n\n"
    'Example: `sources: ["Tasty soup!", "Cold soup."]`, `values: ["positive", "negative"]` and `prediction: "Tasty but '
    'cold soup."`',
    "source": "A text that is summarized: a review, a document, a turn of a meeting. Each source belongs to one group.",
    "summary": "The text that is scored. Code, files and options call it *prediction*, as `evaluate` does. Some "
    "measures also score other generated texts.",
    "person": "An individual who is named in a source or summary; keys also say entity.",
    "measure": "Definition of a score, such as bur. `evaluate` says metric, so options are called `metrics`.",
    "baseline": "The system, or the earlier results, that others are compared with. A difference is the system minus "
    "the baseline.",
    "report": "The page, or the printed tables, that show results with their samples.",
    "share": "The part of a summary that goes to one group, between 0 and 1. The desired share is the part that the "
    "group should have, by default its part of the source words. The shortfall is the desired share minus the share, "
    "or 0 if the group has enough. A group is underrepresented if its share is below `tau` (0.8) times its desired "
    "share.\n\n"
    "Example: critics wrote 40% of the words and get 25% of the summary. Their shortfall is 0.15. They are "
    "underrepresented, because 0.25 is less than 0.8 × 0.40 = 0.32.",
    "tau": "The tolerance of bur. A summary underrepresents a group if the group's share is below tau times "
    "its desired share: with tau = 0.8 and a desired share of 0.40, below 0.32. At tau = 1 any shortfall counts, "
    "at 0 none does. auc is the mean of bur over all tau.",
    "ratio": "A group's share in the summary divided by its desired share, averaged over samples; 1 is "
    "exactly as desired. A mean can hide single samples: a group with twice its share in most samples and half of "
    "it in a few has a ratio above 1, but is underrepresented in those few. A group with few source words has a "
    "ratio far above 1 if it is mentioned at all.",
    "coverage": "The probability that a source entails a statement of the summary. A unit is one such statement, by "
    "default a sentence. A chunk is a passage of the source; only the chunk that entails the unit best counts.\n\n"
    'Example: "The soup was cold and the waiter rude." covers the unit "The soup was cold."',
    "chance level": 'The score of random summaries as long as yours, called "at random" in tables. A short summary '
    "cannot match every share, so random summaries also score above 0. A score no better than its chance level says "
    "nothing about the system.",
    "95% CI": "The 95% confidence interval: the scores that are plausible for all data of this kind, given your "
    "samples. If a table has two intervals, the headings name the units that are resampled.",
    "undecided": "A rule of fairsum check that neither passes nor fails: one end of the interval meets it and the "
    "other does not, the score is undefined, or it is of fewer than 20 samples or originals.",
    "signature": "The settings that determine a score, in one line, such as tau:0.8|boot:samples|v:0.1.0. Two scores "
    "are comparable if their signatures agree; --verbose prints them, and JSON has them.",
    "original": "A text, or a set of sources, before a person or the order in it is changed; in other news, each "
    "article. Measures that compare inputs made from one text count originals, not samples.\n\n"
    'Example: "Ms Ellen Diaz, 34, won the award in June."',
    "variant": "An input made from an original by changing one thing: the person, or the order of the sources.\n\n"
    'Example: "Mr Peter Diaz, 34, won the award in June."',
    "control": "A variant with a change that should not matter, such as another city or another person of the same "
    "group. Controls show how much summaries differ anyway. Only a difference beyond that counts as a gap.\n\n"
    'Example: "Ms Ellen Diaz, 34, won the award in May."',
    "assignment": "The choice of which person or group fills which role in one input. Its inversion swaps the groups. "
    "Both form a pair, so that differences between roles cancel out.\n\n"
    "Example: the lawyer is a woman and the witness a man; in the inversion the lawyer is a man and the witness a "
    "woman.",
}
"""Word -> its meaning; a second paragraph has an example."""

OTHER_NAMES: Mapping[str, str] = {
    "at random": "chance level",
    "ci": "95% CI",
    "desired share": "share",
    "entity": "person",
    "metric": "measure",
    "prediction": "summary",
    "shortfall": "share",
    "underrepresented": "share",
    "value": "group",
}
"""Other word in outputs -> the entry that explains it."""

_HEAD = """\
# Glossary

Messages, reports and pages of fairsum use each of these words in one sense only. `fairsum explain WORD` prints an
entry.
"""


def page() -> str:
    """Write the glossary as a page of the documentation."""
    return "\n".join([_HEAD, *(f"## {word}\n\n{text}\n" for word, text in GLOSSARY.items())])


def meaning(word: str) -> str | None:
    """Return the entry of a word, in any case; None for an unknown word.

    Example:
        >>> meaning("Underrepresented") == GLOSSARY["share"]
        True
    """
    entries = {name.casefold(): text for name, text in GLOSSARY.items()}
    entries |= {name: GLOSSARY[entry] for name, entry in OTHER_NAMES.items()}
    return entries.get(word.casefold())
