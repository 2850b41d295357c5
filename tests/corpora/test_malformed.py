"""Published files that are damaged or of another kind are named, with the place and what was expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import iter_rows
from fairsum_utils.errors import DataSourceError

SEP = " +++$+++ "
MITWEET = ",".join(["topic", "tweet", "tokenized tweet", "R1", *(f"I{i}" for i in range(1, 13))])
SEMEVAL = "ID\tTarget\tTweet\tStance\tOpinion towards\n"
REVIEWS = "group_id\treview_text\trating\tcategory\n"
GOOD = json.dumps({"overall": 5.0, "asin": "P1", "reviewText": "good"}) + "\n"


def of_gender(gender: Any, attribute: str = "gender", **more: Any) -> str:
    return json.dumps([{"units": [{"text": "a", "value": {attribute: gender}}], **more}])


# Data set, configuration and file -> contents and what is said of them.
DAMAGED: dict[tuple[str, str, str], list[tuple[str | bytes, str]]] = {
    ("perspectivesumm", "claritin", "claritin_raw.txt"): [
        ("1<||>male<||>a\n2<||>male\n", r"line 2: expected id<\|\|>label<\|\|>text, but found 2 field"),
        ("1<||>male<||>a\n\n3<||>male<||>b\n", "line 2: expected .* found 1 field"),
        ("1<||>male<||>a\n2<||>fem", "line 2: .*cut short"),
        ("1<||>dog<||>a\n", "line 1: the label is 'dog', but this configuration knows male, female"),
    ],
    ("perspectivesumm", "claritin", "claritin.json"): [
        ("{}", "sample 0: expected an object with a non-empty list 'units'"),
        ("", "contains no sample"),
        ("[]", "contains no sample"),
        ('[{"units": [{"te', "json: not valid JSON .* may be incomplete"),
        (of_gender("male")[:-1], "json: not valid JSON .* at column 57.; the file may be incomplete"),
        ('[{"units": []}]', "sample 0: expected an object with a non-empty list 'units'"),
        ("[[]]", "element 1: expected a JSON object"),
        (f'{of_gender("male")[:-1]}, {{"units": [{{"text": "b"}}]}}]', "sample 1, unit 0: expected"),
        (of_gender("pos", "sentiment"), "has no 'gender'; its attributes are sentiment"),
        (of_gender("dog"), "gender is 'dog', expected"),
        (of_gender(None), "gender is None"),
        (of_gender("male", gold_summary=[1]), "gold_summary must be a list of strings"),
    ],
    ("perspectivesumm", "amazon", "x.csv"): [
        ("cat\trev1\n", "no column 'group_id', 'review_text', 'rating', 'category'; found cat, rev1"),
        ("", "found nothing"),
        (f"{REVIEWS}a\tb\n", "line 2: 2 fields, but the header has 4"),
        (f"{REVIEWS}a\tb\t6.0\tc\n", "line 2: the rating is '6.0', expected one of 1, 2, 3, 4, 5"),
        (f"{REVIEWS}a\tb\t3.5\tc\n", "the rating is '3.5'"),
        (f"{REVIEWS}a\tb\tgood\tc\n", "the rating is 'good'"),
        (REVIEWS, "amazon-x: the sample has no source text"),
    ],
    ("perspectivesumm", "supreme_court", "supreme.conversations.txt"): [
        ("1 +++$+++ 2 +++$+++ 3\n", r"line 1: 3 fields separated by \+\+\+\$\+\+\+, expected 8\.$"),
        ("1 +++$+++ 2", "line 1: 2 fields .* cut short"),
        (SEP.join(["1", "2", "3", " ", "5", "6", "7", "8"]) + "\n", "line 1: the speaker is '', expected a name"),
    ],
    ("perspectivesumm", "supreme_court", "utterances.jsonl"): [
        ('{"id": "u', "line 1: not valid JSON .* may be incomplete"),
        ('{"speaker": "a", "text": "b"}', "line 1: not a ConvoKit utterance .*: 'conversation_id' is missing"),
        ('{"speaker": "a", "conversation_id": "c", "text": null}', "line 1: the text is None"),
        ('{"speaker": null, "conversation_id": "c", "text": "t"}', "line 1: the speaker is None"),
    ],
    ("perspectivesumm", "iq2", "iq2_data_release.json"): [
        ("[]", "iq2_data_release.json is not IQ2 as published"),
        ('{"a": {"transcript": [{"speaker": "x"}]}}', "is not IQ2 as published"),
        ('{"a": 3}', "is not IQ2 as published"),
        ('{"a": {"tran', "iq2_data_release.json: cannot read the file as JSON .*download"),
    ],
    ("coverage_sets", "amazon", "a.json"): [
        (GOOD + '{"overall": 5.0, "asin": "P", "reviewText": "go', "line 2: not valid JSON .*the line has no end"),
        (f"{GOOD}[1]\n", "line 2: expected a JSON object, found a list"),
        ('{"asin": "P", "title": "x", "reviewText": 1}\n', "line 1: expected texts reviewText and asin, found the fie"),
        ('{"overall": 5, "reviewText": "x"}\n', "found the fields overall, reviewText. Use the file of reviews"),
        (GOOD.replace("5.0", "6.0"), "line 1: overall is 6.0, expected one of 1, 2, 3, 4, 5"),
        (GOOD.replace("5.0", "[5]"), r"line 1: overall is \[5\]"),
        (GOOD.replace("5.0", "true"), "line 1: overall is True"),
        (GOOD.encode() + b'{"overall": 5, "asin": "P", "reviewText": "\xff"}\n', "line 2: the text is not UTF-8"),
    ],
    ("coverage_sets", "mitweet", "MITweet.csv"): [
        ("topic,tweet\na,b\n", r"MITweet\.csv.*no column 'I1', .*'I12'; found topic, tweet. Expected a file of MITwe"),
        (f"{MITWEET}\nA,t,t,1,3{',-1' * 11}\n", "line 2: an ideology is '3'.*Early versions"),
        (f"{MITWEET}\n ,t,t,1{',-1' * 12}\n", "line 2: the topic is empty"),
        (f"{MITWEET}\nA,t,t,1{',-1' * 11}\n", "line 2: 15 fields, but the header has 16"),
        (f'{MITWEET}\nA,"half a twe', "line 2: a quote that opens here is not closed"),
    ],
    ("coverage_sets", "semeval", "trainingdata-all-annotations.txt"): [
        (f"{SEMEVAL}1\tA\tt\tUNKNOWN\tx\n", "line 2: the stance is 'UNKNOWN', expected one of FAVOR, AGAINST, NONE"),
        (f"{SEMEVAL}1\tA\tt\tFAV", "line 2: 4 fields, but the header has 5"),
        (f"{SEMEVAL}1\t \tt\tFAVOR\tx\n", "line 2: the target is empty"),
        (SEMEVAL.encode() + b"1\tA\t\x81\tFAVOR\tx\n", "line 2: neither UTF-8 nor Windows-1252"),
    ],
}


@pytest.mark.parametrize(
    ("place", "content", "message"), [(place, *case) for place, cases in DAMAGED.items() for case in cases]
)
def test_malformed_files_are_named(
    tmp_path: Path, place: tuple[str, str, str], content: str | bytes, message: str
) -> None:
    name, config, file = place
    (tmp_path / file).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DataSourceError, match=message):
        list(iter_rows(name, config, data_dir=tmp_path))
