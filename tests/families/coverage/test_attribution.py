"""Where units and the chunks that cover them stand in the texts of a sample."""

from __future__ import annotations

from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.families.marks import Attribution
from tests._together import marked as marks_of

marked = partial(marks_of, "equal_coverage", entailer="lexical", max_exact=1, n_permutations=1)


def squeezed(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


def check(found: Attribution, record: dict[str, Any], sample: dict[str, Any]) -> None:
    """Marks say what the record says: each unit once in its own words, its chunk with the value of its document."""
    units = {span.key: sample["predictions"][span.start : span.end] for span in found.prediction}
    assert units == {f"u{place}": unit for place, unit in enumerate(record["units"])}
    assert len(units) == len(found.prediction)
    chunks = {span.key: (place, span) for place, spans in enumerate(found.sources) for span in spans}
    assert len(chunks) == sum(map(len, found.sources))
    for place, best in enumerate(record["evidence"]):
        assert (f"u{place}" in chunks) == (best["probability"] > 0)
        if best["probability"] > 0:
            document, span = chunks[f"u{place}"]
            assert document == best["document"]
            assert squeezed(sample["sources"][document][span.start : span.end]) == squeezed(best["text"])
            assert span.names == (record["values"][document],)
    for spans in (found.prediction, *found.sources):
        assert [span.start for span in spans] == sorted(span.start for span in spans)


SOURCES = ["Meh.\n\nCold  bread. Nice.", "Tasty soup!", "Soup, tasty."]
VALUES = ["neg", "pos", "mixed"]


def test_by_hand() -> None:
    sample = {"predictions": "Tasty soup. The. Cold bread, fast. Parking.", "sources": SOURCES, "values": VALUES}
    found, _ = marked(sample, chunk_words=2)
    # {tasti, soup} stands in two documents; "The." has no word that counts; of {cold, bread, fast} one document has
    # 2 of 3; nobody speaks of parking.
    assert found.prediction == [
        (0, 11, ("mixed", "pos"), "unit", "u0", "statement 1: covered with 1.00"),
        (17, 34, ("neg",), "unit", "u1", "statement 2: covered with 0.67"),
        (35, 43, (), "unit", "u2", "statement 3: not covered by any document"),
    ]
    # Chunks of two words: "Meh.", then "Cold  bread." at 6, then "Nice."; of equal documents the first.
    assert found.sources == [
        [(6, 18, ("neg",), "chunk", "u1", "covers statement 2 with 0.67")],
        [(0, 11, ("pos",), "chunk", "u0", "covers statement 1 with 1.00")],
        [],
    ]


def test_units_that_are_no_stretch_of_the_summary_are_not_marked() -> None:
    sample = {"predictions": "The soup is tasty and cheap.", "sources": SOURCES, "values": VALUES}
    found, _ = marked(sample | {"summary_units": ["The soup is tasty", "The soup is cheap", "soup"]})
    assert [(span.start, span.end, span.key) for span in found.prediction] == [(0, 17, "u0"), (4, 8, "u2")]
    assert [[span.key for span in spans] for spans in found.sources] == [[], ["u0", "u1", "u2"], []]
    # Units may come in another order than in the summary.
    found, _ = marked(sample | {"summary_units": ["cheap.", "The soup"]})
    assert [(span.start, span.end, span.key) for span in found.prediction] == [(0, 8, "u1"), (22, 28, "u0")]


def test_merged_units_are_marked_together() -> None:
    # The first and the last have the same words, and so entail each other; nobody covers the second.
    sample = {"predictions": "Tasty soup. Parking | noise. Soup, tasty.", "sources": SOURCES, "values": VALUES}
    found, record = marked(sample, protocol="released")
    assert record["units"] == ["Tasty soup. | Soup, tasty."]
    assert [(span.start, span.end, span.key) for span in found.prediction] == [(0, 11, "u0"), (29, 41, "u0")]


TEXTS = st.lists(
    st.sampled_from(("Soup", "soup", "a", "bread", ".", "!", "\n\n", "  ", " ", " | ", "É", "x. ")), max_size=20
)


@settings(max_examples=15)
@given(
    summary=TEXTS.map("".join),
    sources=st.lists(TEXTS.map("".join).filter(str.strip), min_size=2, max_size=4),
    chunk_words=st.integers(1, 8),
)
def test_marks_are_those_of_the_record(summary: str, sources: list[str], chunk_words: int) -> None:
    sample = {"predictions": summary, "sources": sources, "values": ["a", "b", "a", "c"][: len(sources)]}
    found, record = marked(sample, chunk_words=chunk_words)
    if record["skipped"] is None:
        check(found, record, sample)
        check(*marked(sample, chunk="sentence"), sample)
    # With the published code's windows chunks are found as well; merged units have several places.
    found, record = marked(sample, chunk_words=chunk_words, protocol="released")
    for place, best in enumerate(record["evidence"] or ()):
        [span] = [span for span in found.sources[best["document"]] if span.key == f"u{place}"]
        assert squeezed(sources[best["document"]][span.start : span.end]) == squeezed(best["text"])
        assert any(span.key == f"u{place}" for span in found.prediction)
