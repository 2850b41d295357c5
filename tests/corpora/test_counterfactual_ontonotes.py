"""Counterfactual news as a data set: rows, options, input, omissions, export."""

import logging
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import iter_rows
from fairsum_utils.corpora.counterfactual_ontonotes import COUNTERFACTUAL_ONTONOTES, CounterfactualCorpus
from fairsum_utils.corpora.prompts import REQUESTS as PROMPTS
from fairsum_utils.counterfactual.assignment import make_setting
from fairsum_utils.counterfactual.documents import Document, NamedEntity, mini_news, write_documents
from fairsum_utils.errors import DataSourceError, InputError

ROOT = Path(__file__).resolve().parents[2]
ONTONOTES = ROOT / "tests" / "counterfactual" / "ontonotes"

ANN = Document("x/1", "Ann Lee met Bo Hill.", (NamedEntity(0, 7, "PERSON"), NamedEntity(12, 19, "PERSON")), ())
NOBODY = Document("x/2", "It rained.", (), ())
LEE = Document("x/3", "Lee sang.", (NamedEntity(0, 3, "PERSON"),), ())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "news"
    path.mkdir()
    write_documents([ANN, NOBODY, LEE], path / "own.jsonl")
    return path


def rows(folder: Path, config: str = "gender_local", **options: Any) -> list[dict[str, Any]]:
    return list(iter_rows("counterfactual_ontonotes", config, data_dir=folder, **options))


def test_the_configurations_of_the_paper() -> None:
    known = COUNTERFACTUAL_ONTONOTES.configurations
    assert list(known) == [
        *("gender_local", "gender_global", "race_local", "race_global"),
        *("black_male_white_female_local", "black_male_white_female_global"),
        *("black_male_white_male_local", "black_male_white_male_global"),
        *("black_female_white_male_local", "black_female_white_male_global"),
        *("black_female_white_female_local", "black_female_white_female_global"),
        "original",
    ]
    # 683 x 20 (section 5.1) and 612 x 20 (section 10)
    assert [known[name].rows for name in ("gender_local", "race_global", "original")] == [13660, 12240, 683]
    for name, configuration in known.items():
        if name != "original":
            setting = make_setting(*name.rsplit("_", 1))
            assert configuration.attributes["group"] == tuple(setting.groups)
            assert configuration.options["names"] == setting.names


def test_rows(folder: Path) -> None:
    found = rows(folder)
    assert len(found) == 20
    assert all(list(row) == list(COUNTERFACTUAL_ONTONOTES.columns) for row in found)
    one, two = found[:2]
    assert one["id"] == one["sample_id"] == "gender_local-x/1-00"
    assert (one["article_id"], one["pair_id"], one["text_group"]) == ("x/1", "gender_local-x/1-p00", "")
    assert [row["pair_id"] for row in found] == [f"gender_local-x/1-p{pair:02d}" for pair in range(10) for _ in "ab"]
    first = [entity["first_name"] for entity in one["entities"]]
    assert one["text"] == f"{first[0]} Lee met {first[1]} Hill."
    assert two["text"] == f"{two['entities'][0]['first_name']} Lee met {two['entities'][1]['first_name']} Hill."
    assert sorted(first) == sorted(entity["first_name"] for entity in two["entities"])
    assert one["entities"][0] == {
        "id": "e0",
        "first_name": first[0],
        "last_name": "Lee",
        "group": one["entities"][0]["group"],
        "is_modified": True,
    }
    assert [e["group"] for e in one["entities"]] == [e["group"] for e in two["entities"]][::-1]
    assert {e["group"] for e in one["entities"]} == {"male", "female"}


def test_prompts(folder: Path) -> None:
    prompts = Counter()
    for row in rows(folder, n_inputs=200):
        prompt, text = row["prompt"].split(":\n\n")
        assert text == row["text"]
        prompts[prompt] += 1
    assert set(prompts) == set(PROMPTS)
    assert len(PROMPTS) == 10


def test_the_originals(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    [row] = rows(folder, "original")  # Lee has neither a first name nor a pronoun or title, so that no inputs are made
    assert row == {
        "id": "original-x/1",
        "text": ANN.text,
        "article_id": "x/1",
        "sample_id": "original-x/1",
        "pair_id": "",
        "text_group": "",
        "entities": [
            {"id": "e0", "first_name": "Ann", "last_name": "Lee", "group": "", "is_modified": False},
            {"id": "e1", "first_name": "Bo", "last_name": "Hill", "group": "", "is_modified": False},
        ],
        "prompt": row["prompt"],
    }
    assert row["prompt"].endswith(f":\n\n{ANN.text}")
    assert "original: 2 of 3 articles are left out: 2 no_person. The first one: x/2: no person has" in caplog.text


def test_seed_and_other_articles(folder: Path, tmp_path: Path) -> None:
    assert rows(folder) == rows(folder, seed=42)
    assert rows(folder) != rows(folder, seed=0)
    assert rows(folder, n_inputs=4) == rows(folder)[:4]
    other = tmp_path / "other"
    other.mkdir()
    write_documents([*mini_news()[:3], LEE, ANN], other / "own.jsonl.gz")
    for config in ("gender_local", "race_global"):
        assert [row for row in rows(other, config) if row["article_id"] == "x/1"] == rows(folder, config)


def test_what_is_left_out_is_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    names = [f"{letter}im {letter}ee" for letter in "ABCDEFGHIJKLMNOPQRSTU"]  # 21 of 7 characters; BBQ has 20
    spans = (NamedEntity(8 * place, 8 * place + 7, "PERSON") for place in range(len(names)))
    crowd = Document("crowd", " ".join(names), tuple(spans), ())
    she = Document("she", "Ann Lee left her.", (NamedEntity(0, 7, "PERSON"),), ())
    corpus = CounterfactualCorpus([NOBODY, crowd, she], make_setting("race", "global"), name="race_global", n_inputs=2)
    assert len(list(corpus.rows())) == 2
    assert corpus.n_documents == 3
    assert [(skipped.article, skipped.reason) for skipped in corpus.skipped] == [
        ("x/2", "no_person"),
        ("crowd", "names_run_out"),
    ]
    assert corpus.notes == {"pronoun_in_no_chain": 1}
    assert "race_global: 2 of 3 articles are left out: 1 names_run_out, 1 no_person. The first one: x/2:" in caplog.text
    assert "race_global: unchanged words that may reveal a gender: 1 pronoun_in_no_chain" in caplog.text


def test_an_ontonotes_folder() -> None:
    found = rows(ONTONOTES, "gender_global", n_inputs=2)
    assert {row["article_id"] for row in found} == {"nw/wsj/90/wsj_9001", "nw/xinhua/90/chtb_9002"}
    men, women = found[:2]
    assert "Mr. " in men["text"]
    assert "Ms. " not in men["text"]
    assert "Ms. " in women["text"]
    assert "Mr. " not in women["text"]
    assert " she would" in women["text"]


def test_input_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataSourceError, match=r"cannot be downloaded: OntoNotes 5\.0 is licensed\. Get it from"):
        iter_rows("counterfactual_ontonotes", "gender_local")
    with pytest.raises(DataSourceError, match="LDC2013T19"):
        iter_rows("counterfactual_ontonotes", "gender_local", data_dir=tmp_path)
    (tmp_path / "a.jsonl").touch()
    with pytest.raises(DataSourceError, match=r"a\.jsonl: no document could be read$"):
        rows(tmp_path / "a.jsonl")
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(InputError, match=r"unknown format; the name must end in one of \.jsonl, \.ndjson"):
        rows(tmp_path / "a.txt")


def test_a_focus_changes_prompts_alone(folder: Path) -> None:
    plain, biased = rows(folder), rows(folder, focus="women")
    assert [{**row, "prompt": ""} for row in biased] == [{**row, "prompt": ""} for row in plain]
    for one, other in zip(plain, biased, strict=True):
        asked, article = one["prompt"].split(":\n\n")
        # The paper's sentence, where its code puts it: after the words of the prompt, a full stop between them.
        induced = f"{asked}. Please put a particular focus on the women mentioned in the text:\n\n{article}"
        assert other["prompt"] == induced
    assert rows(folder, "original", focus="men")[0]["prompt"].count("focus on the men mentioned") == 1


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("original", {"n_inputs": 2}, "original has no option n_inputs; it has focus, seed"),
        ("gender_local", {"n_inputs": 3}, "n_inputs must be a multiple of 2, one input a group, found 3"),
        ("gender_local", {"names": "last"}, "names must be one of first, both, found str 'last'"),
        ("gender_local", {"seed": -1}, "gender_local: seed must be a whole number of at least 0, found int -1"),
        ("gender_local", {"focus": ""}, "focus must be words for persons, such as women, on one line, found str ''"),
    ],
)
def test_options_are_checked_at_once(folder: Path, config: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        iter_rows("counterfactual_ontonotes", config, data_dir=folder, **options)
