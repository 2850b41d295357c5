import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora import iter_rows
from fairsum_utils.corpora.dialogues import Turn, segment_turns
from fairsum_utils.errors import DataSourceError, InputError

SEP = " +++$+++ "


def cornell(folder: Path, *turns: tuple[str, str, str], end: str = "\n") -> Path:
    lines = [
        SEP.join([case, str(i), "FALSE", speaker, "NOT JUSTICE", "NA", "NA", text])
        for i, (case, speaker, text) in enumerate(turns)
    ]
    (folder / "supreme.conversations.txt").write_text("\n".join(lines) + end, encoding="utf-8")
    return folder


def convokit(folder: Path, utterances: list[dict[str, Any]], speakers: dict[str, Any] | None = None) -> Path:
    (folder / "utterances.jsonl").write_text("".join(json.dumps(u) + "\n" for u in utterances), encoding="utf-8")
    if speakers is not None:
        (folder / "speakers.json").write_text(json.dumps(speakers), encoding="utf-8")
    return folder


def rows_of(config: str, folder: Path, **options: Any) -> list[Any]:
    return list(iter_rows("perspectivesumm", config, data_dir=folder, **options))


def test_cornell_cases_and_segments(tmp_path: Path) -> None:
    folder = cornell(
        tmp_path,
        ("02-1", "ROE", "one two"),
        ("02-2", "LEE", "x"),
        ("02-1", "POE", f"three{SEP}four"),
        ("02-1", "ROE", "five"),
    )
    first, second, third = rows_of("supreme_court", folder, max_tokens_per_segment=10)
    # ROE : one two = 4 tokens; POE : three +++ $ +++ four = 7; ROE : five = 3
    assert [row["id"] for row in (first, second, third)] == [
        "supreme_court-02-1-000",
        "supreme_court-02-1-001",
        "supreme_court-02-2-000",
    ]
    assert first["sources"] == ["ROE : one two"]
    assert second["sources"] == ["POE : three +++$+++ four", "ROE : five"]
    assert second["values"] == ["POE", "ROE"]
    assert [json.loads(row["metadata"])["over_long"] for row in (first, second)] == [False, False]  # 10 is the limit
    [long, _, _] = rows_of("supreme_court", folder, max_tokens_per_segment=9)[1:]
    assert (long["sources"], json.loads(long["metadata"])["over_long"]) == (second["sources"][:1], False)
    assert first["attribute"] == "speaker"
    whole = rows_of("supreme_court_whole", folder)
    assert [row["id"] for row in whole] == ["supreme_court_whole-02-1", "supreme_court_whole-02-2"]
    assert whole[0]["values"] == ["ROE", "POE", "ROE"]
    assert len(rows_of("supreme_court_whole", folder, max_conversations=1)) == 1


def hearing(folder: Path) -> Path:
    """Two Justices, one without a gender, and an advocate, as in Cornell's files."""
    spoken = [
        ("JUSTICE O'CONNOR", "JUSTICE", "Why?"),
        ("MR. MILLER", "NOT JUSTICE", "Because."),
        ("JUSTICE SOUTER", "JUSTICE", "So."),
        ("CLERK", "", "Oyez."),
    ]
    lines = [
        SEP.join(["02-1", str(i), "TRUE", name, role, "NA", "NA", text]) for i, (name, role, text) in enumerate(spoken)
    ]
    (folder / "supreme.conversations.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    genders = [("JUSTICE O'Connor", "female"), ("MR. MILLER", "male"), ("CLERK", "NA")]
    (folder / "supreme.gender.txt").write_text("".join(f"{SEP.join(pair)}\n" for pair in genders), encoding="utf-8")
    return folder


def test_gender_and_power_of_a_hearing(tmp_path: Path) -> None:
    folder = hearing(tmp_path)
    for config in ("supreme_court", "supreme_court_whole"):
        [gender], [power], [speaker] = (
            rows_of(config, folder, attribute=attribute) for attribute in ("gender", "power", "speaker")
        )
        assert (gender["attribute"], gender["values"]) == ("gender", ["female", "male", "unknown", "unknown"])
        assert (power["attribute"], power["values"]) == ("power", ["justice", "advocate", "justice", "unknown"])
        assert speaker["values"] == ["JUSTICE O'CONNOR", "MR. MILLER", "JUSTICE SOUTER", "CLERK"]
        # Whoever is counted, a model reads the same: one turn a line.
        assert gender["sources"] == power["sources"] == speaker["sources"]
        assert gender["prompt"] == power["prompt"] == speaker["prompt"]
        assert "JUSTICE O'CONNOR : Why?\nMR. MILLER : Because.\n" in gender["prompt"]


def test_no_gender_without_its_file(tmp_path: Path) -> None:
    folder = hearing(tmp_path)
    (folder / "supreme.gender.txt").unlink()
    with pytest.raises(DataSourceError, match=r"lacks every speaker's gender\. Genders are in supreme\.gender\.txt"):
        rows_of("supreme_court", folder, attribute="gender")
    (folder / "supreme.gender.txt").write_text("JUSTICE SOUTER male\n", encoding="utf-8")
    with pytest.raises(DataSourceError, match=r"supreme\.gender\.txt, line 1: 1 fields .* expected 2"):
        rows_of("supreme_court", folder, attribute="gender")


def test_convokit(tmp_path: Path) -> None:
    utterances = [
        {
            "id": "u0",
            "speaker": "j__a",
            "conversation_id": "c1",
            "reply_to": None,
            "timestamp": None,
            "text": "a\n b",
            "meta": {"case_id": "1955_71"},
        },
        {
            "id": "u1",
            "speaker": "b",
            "conversation_id": "c1",
            "reply_to": "u0",
            "timestamp": None,
            "text": "c",
            "meta": {},
        },
    ]
    speakers = {"j__a": {"meta": {"name": "Earl Warren"}, "vectors": []}, "b": {"name": "Roe"}}
    [row] = rows_of("supreme_court_whole", convokit(tmp_path, utterances, speakers))
    assert row["sources"] == ["Earl Warren : a b", "Roe : c"]
    assert json.loads(row["metadata"])["case_id"] == "1955_71"
    timed = [{**utterance, "timestamp": 9 - i} for i, utterance in enumerate(utterances)]
    [row] = rows_of("supreme_court_whole", convokit(tmp_path, timed))
    assert row["sources"] == ["Roe : c", "Earl Warren : a b"]  # by time
    (tmp_path / "speakers.json").unlink()
    assert rows_of("supreme_court_whole", tmp_path)[0]["values"] == ["b", "j__a"]


@pytest.mark.parametrize(
    ("speakers", "meta", "gender"),
    [
        ({"j": {"meta": {"name": "Jo", "type": "J"}}, "a": {"meta": {"type": "A"}}}, [{}, {}], None),
        ({}, [{"speaker_type": "J"}, {"speaker_type": "A"}], None),
        ({"j": {"type": "J", "gender": "Female"}, "a": {"type": "A", "gender": "na"}}, [{}, {}], ["female", "unknown"]),
    ],
)
def test_gender_and_power_in_convokit(
    tmp_path: Path, speakers: dict[str, Any], meta: list[dict[str, Any]], gender: list[str] | None
) -> None:
    utterances = [
        {"id": str(i), "speaker": name, "conversation_id": "c", "text": "x", "timestamp": None, "meta": about}
        for i, (name, about) in enumerate(zip("ja", meta, strict=True))
    ]
    folder = convokit(tmp_path, utterances, speakers)
    assert rows_of("supreme_court", folder, attribute="power")[0]["values"] == ["justice", "advocate"]
    if gender is None:
        with pytest.raises(DataSourceError, match="lacks every speaker's gender"):
            rows_of("supreme_court", folder, attribute="gender")
    else:
        assert rows_of("supreme_court", folder, attribute="gender")[0]["values"] == gender


def test_speakers_that_are_none(tmp_path: Path) -> None:
    convokit(tmp_path, [])
    (tmp_path / "speakers.json").write_text("[]", encoding="utf-8")
    with pytest.raises(DataSourceError, match=r"speakers\.json is not ConvoKit's"):
        rows_of("supreme_court", tmp_path)


def test_iq2(tmp_path: Path) -> None:
    debate = {
        "title": "On tests",
        "transcript": [{"speaker": "Ann", "speakertype": "mod", "paragraphs": ["One.", "Two."], "nontext": {}}],
    }
    (tmp_path / "iq2_data_release.json").write_text(json.dumps({"d1": debate}), encoding="utf-8")
    [row] = rows_of("iq2", tmp_path)
    assert (row["id"], row["sources"]) == ("iq2-d1-000", ["Ann : One. Two."])
    assert json.loads(row["metadata"])["title"] == "On tests"


def test_power_in_a_debate(tmp_path: Path) -> None:
    roles = ["host", "mod", "for", "against", "audience", "unknown"]
    transcript = [{"speaker": role.title(), "speakertype": role, "paragraphs": ["Yes."]} for role in roles]
    transcript.append({"speaker": "Nobody", "paragraphs": ["No."]})
    path = tmp_path / "iq2_data_release.json"
    path.write_text(json.dumps({"d1": {"title": "t", "transcript": transcript}}), encoding="utf-8")
    expected = ["moderator", "moderator", "debater", "debater", "other", "other", "unknown"]
    for config in ("iq2", "iq2_whole"):
        [row] = rows_of(config, tmp_path, attribute="power")
        assert (row["attribute"], row["values"]) == ("power", expected)
    with pytest.raises(InputError, match="iq2 has no attribute 'gender'; choose one of speaker, power"):
        rows_of("iq2", tmp_path, attribute="gender")
    path.write_text(json.dumps({"d1": {"transcript": transcript[-1:]}}), encoding="utf-8")
    with pytest.raises(DataSourceError, match="lacks every speaker's power"):
        rows_of("iq2", tmp_path, attribute="power")


turns_strategy = st.lists(
    st.builds(Turn, st.sampled_from("AB"), st.lists(st.just("w"), max_size=12).map(" ".join)), max_size=20
)


@given(turns=turns_strategy, limit=st.integers(1, 30))
def test_segments_are_the_conversation_in_pieces(turns: list[Turn], limit: int) -> None:
    segments = list(segment_turns(turns, limit, str.split))
    assert [turn for part, _ in segments for turn in part] == turns
    for part, size in segments:
        assert part
        assert size == sum(len(turn.text.split()) for turn in part)
        assert size <= limit or len(part) == 1
    for (_, size), (following, _) in itertools.pairwise(segments):
        assert size + len(following[0].text.split()) > limit  # as long as possible
    assert [part for part, _ in segment_turns(turns, None, str.split)] == ([turns] if turns else [])
