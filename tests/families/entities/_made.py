"""Rows of every measure of the family, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from fairsum_utils.families.entities.rows import EntityRow


@st.composite
def made_rows(draw: st.DrawFn) -> list[EntityRow]:
    """Rows of every measure: up to 24 samples of up to 6 originals, some skipped, some of those of ABC in pairs."""
    counts = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 5))
    persons = st.tuples(st.sampled_from("xy"), st.booleans())
    sizes = {article: draw(st.integers(0, 3) | st.none()) for article in "ABCDEF"}
    rows = []
    for index in range(draw(st.integers(1, 24))):
        article = draw(st.sampled_from("ABCDEF"))
        if draw(st.integers(0, 7)) == 0:
            rows.append(EntityRow(index, article, skipped="empty_prediction"))
            continue
        size = sizes[article]  # of some originals all samples have as many persons
        number = draw(st.integers(0, 3)) if size is None else size
        strangers = draw(st.lists(st.tuples(st.sampled_from("PQR"), st.sampled_from(["x", "y", None])), max_size=3))
        rows.append(
            EntityRow(
                index,
                article,
                group=draw(st.sampled_from("xyz")),
                pair=draw(st.sampled_from(["p", "q", None])) if article in "ABC" else None,
                n_tokens=draw(st.integers(1, 9)),
                n_mentions=len(strangers) + draw(st.integers(0, 2)),
                summary_words=draw(counts),
                source_words=draw(counts),
                entities=tuple(draw(st.lists(persons, min_size=number, max_size=number))),
                n_ambiguous=draw(st.integers(0, 2)),
                hallucinated=tuple(strangers),
                word_counts=draw(st.dictionaries(st.sampled_from("abc"), st.integers(1, 2), max_size=3)),
            )
        )
    return rows
