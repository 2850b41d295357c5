import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import DataSourceError, InputError


def words(number: int, name: str) -> str:
    return " ".join([name, *["word"] * (number - 1)])


EMERGENT = ("claimId", "claimHeadline", "articleId", "articleVersion", "articleBody", "articleStance")


@pytest.fixture
def fnc(tmp_path: Path, write_csv: Any) -> None:
    stances = [("Cat barks", 1, "agree"), ("Cat barks", 2, "agree"), ("Cat barks", 3, "disagree")]
    stances += [("Cat barks", 4, "discuss"), ("Dog meows", 1, "unrelated"), ("Cat barks", 5, "agree")]
    bodies = [(i, words(80, f"body{i}") + "\n") for i in range(1, 5)] + [(5, words(601, "long"))]
    write_csv(tmp_path / "train_stances.csv", ("Headline", "Body ID", "Stance"), *stances)
    write_csv(tmp_path / "train_bodies.csv", ("Body ID", "articleBody"), *bodies)


@pytest.fixture
def emergent(tmp_path: Path, write_csv: Any) -> None:
    records = [
        ("c1", "Claim: Cow flies", "a1", 1, words(80, "old"), "for"),
        ("c1", "Claim: Cow flies", "a1", 2, words(80, "new"), "against"),
        ("c1", "Claim: Cow flies", "a1", 3, "", "for"),
        ("c1", "Claim: Cow flies", "a2", 1, words(80, "second"), "against"),
        ("c1", "Claim: Cow flies", "a3", 1, words(80, "third"), "for"),
        ("c1", "Claim: Cow flies", "a4", 1, words(80, "fourth"), "observing"),
        ("c1", "Claim: Cow flies", "a5", 1, words(74, "short"), "for"),
    ]
    (tmp_path / "emergent").mkdir()
    write_csv(tmp_path / "emergent/url-versions-2015-06-14.csv", EMERGENT, *records)


@pytest.mark.usefixtures("fnc", "emergent")
def test_all_that_is_there(tmp_path: Path, build: Any, write_csv: Any) -> None:
    snippets = [f"0_{{{words(60, f'one{i}')}}}1_{{{words(20, f'two{i}')}}}" for i in range(3)]
    records = [
        ("1", "Moon is cheese", snippets[0], "agree"),
        ("2", "Moon is cheese", snippets[1], "refute"),
        ("3", "Moon is cheese", words(80, "plain"), "refute"),
        ("4", "Moon is cheese", snippets[2], "nostance"),
    ]
    columns = ("ID", "Claim", "Snippets (ETS)", "Stance")
    write_csv(tmp_path / "snopes_corpus_2.csv", columns, *records)
    with pytest.raises(InputError, match="support 1, against 2"):  # FNC; Emergent and Snopes
        build("news_stance", tmp_path, size=3, n_sets=6)
    rows = build("news_stance", tmp_path, size=3, n_sets=2)
    assert rows.left_out == {"neither supports nor opposes the claim": 4, "not 75 to 600 words": 2}
    values = {text.split()[0]: value for text, value in rows.texts.items()}
    cat = {"body1": "support", "body2": "support", "body3": "against"}
    cow = {"new": "against", "second": "against", "third": "support"}
    moon = {"one0": "support", "one1": "against", "plain": "against"}
    assert values in ({**cat, **cow}, {**cat, **moon})
    claims = {json.loads(row["metadata"])["topic"] for row in rows}
    assert claims in ({"Cat barks", "Cow flies"}, {"Cat barks", "Moon is cheese"})
    assert all(f'against a claim, "{json.loads(row["metadata"])["topic"]}":' in row["prompt"] for row in rows)
    assert build("news_stance", tmp_path, size=3, n_sets=2, min_words=74, max_words=601).left_out == {
        "neither supports nor opposes the claim": 4,
        "too few similar texts for another set": 2,
    }


def test_every_evidence_sentence_is_read(tmp_path: Path, build: Any, write_csv: Any) -> None:
    sentences = [("agree", "0_{A first.} 1_{And\na second.}"), ("agree", "0_{B}"), ("refute", "0_{C}")]
    records = [("claim x", snippets, stance) for stance, snippets in sentences]
    records += [("claim y", f"0_{{{stance} {i}}}", stance) for i, stance in enumerate(["agree", "refute", "refute"])]
    path = tmp_path / "ukp_snopes_corpus/datasets_raw/snopes_corpus_2.csv"
    path.parent.mkdir(parents=True)
    write_csv(path, ("Claim", "Snippets", "Stance"), *records)
    found = build("news_stance", tmp_path, size=3, n_sets=2, min_words=1).texts
    assert found["A first. And\na second."] == "support"
    write_csv(path, ("Claim", "Stance"), ("x", "agree"))
    with pytest.raises(DataSourceError, match=r"no column 'Snippets'; found Claim, Stance[.] Expected snopes_c"):
        build("news_stance", tmp_path)


@pytest.mark.usefixtures("fnc")
def test_bodies_and_stances_belong_together(tmp_path: Path, build: Any) -> None:
    (tmp_path / "train_bodies.csv").write_text("Body ID,articleBody\n1,x\n")
    with pytest.raises(DataSourceError, match=r"line 3: train_bodies\.csv has no body '2'"):
        build("news_stance", tmp_path)
    (tmp_path / "train_bodies.csv").unlink()
    with pytest.raises(DataSourceError, match=r"the texts are in train_bodies\.csv, which is not beside it"):
        build("news_stance", tmp_path)
    (tmp_path / "train_stances.csv").rename(tmp_path / "train_bodies.csv")
    with pytest.raises(DataSourceError, match="these are texts without their stances"):
        build("news_stance", tmp_path)


@pytest.mark.usefixtures("fnc")
def test_malformed_files_are_named(tmp_path: Path, build: Any, write_csv: Any) -> None:
    path = tmp_path / "train_stances.csv"
    for record, message in (
        (("Cat", 1, "maybe"), "line 2: the stance is 'maybe', expected one of agree, disagree, discuss, unrelated"),
        ((" ", 1, "agree"), "line 2: the claim is empty"),
    ):
        write_csv(path, ("Headline", "Body ID", "Stance"), record)
        with pytest.raises(DataSourceError, match=message):
            build("news_stance", tmp_path)
    write_csv(path, ("Headline", "Body ID"))
    with pytest.raises(DataSourceError, match=r"no column 'Stance'; .*Expected the stances of FNC-1, with labels"):
        build("news_stance", tmp_path)
    path.unlink()
    emergent = tmp_path / "url-versions-2015-06-14.csv"
    write_csv(emergent, EMERGENT, ("c", "Cow", "a", "first", "x", "for"))
    with pytest.raises(DataSourceError, match="line 2: articleVersion is 'first', expected a number"):
        build("news_stance", tmp_path)
    write_csv(emergent, EMERGENT[:3])
    with pytest.raises(DataSourceError, match=r"no column 'articleVersion', 'articleBody', .*Expected url-versions"):
        build("news_stance", tmp_path)


@pytest.mark.usefixtures("fnc")
def test_options_that_cannot_be(tmp_path: Path, build: Any) -> None:
    with pytest.raises(InputError, match="max_words is 5 and min_words is 75: no text can have both"):
        build("news_stance", tmp_path, max_words=5)
    with pytest.raises(InputError, match="news_stance: min_words must be a whole number of at least 1, found int 0"):
        build("news_stance", tmp_path, min_words=0)
