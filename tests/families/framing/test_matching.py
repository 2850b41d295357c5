"""Best matches: equal to comparing all pairs, without doing so."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.framing.scorer import MOST_HOLDERS, NO_MATCH, Best, SentenceIndex

WORDS = st.lists(st.sampled_from("abcdefg"), max_size=5)


@given(sources=st.lists(WORDS, max_size=8), wanted=WORDS, least=st.sampled_from([0.0, 0.2, 0.5, 1.0]))
def test_equal_to_all_pairs(sources: list[list[str]], wanted: list[str], least: float) -> None:
    shares = [len({*wanted} & {*source}) / max(len({*wanted}), 1) for source in sources]
    most = max(shares, default=0.0)
    places = [place for place, share in enumerate(shares) if share == most] if most and most >= least else []
    found = SentenceIndex(sources).best(wanted, least)
    assert (found.overlap, list(found.places)) == ((most, places) if places else (0.0, []))


def test_words_of_too_many_sentences_find_nothing() -> None:
    many = [["claritin", str(place)] for place in range(MOST_HOLDERS + 1)]
    assert SentenceIndex(many).best(["claritin"], 0.0) == NO_MATCH
    assert SentenceIndex(many).best(["claritin", "7"], 0.0) == Best(0.5, [7])
    assert len(SentenceIndex(many[1:]).best(["claritin"], 0.0).places) == MOST_HOLDERS
    # Equal sentences count once.
    assert len(SentenceIndex([["great"]] * 1000).best(["great"], 0.0).places) == 1000
