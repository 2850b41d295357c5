import hashlib
import json
import logging
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.corpora import bold, iter_rows
from fairsum_utils.corpora.bold import IDEOLOGIES, RELIGIONS, anonymize_prompt, anonymize_text
from fairsum_utils.errors import DataSourceError

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "bold"
real = pytest.mark.skipif(not SHARED.is_dir(), reason="the published files are not here")

PROMPTS = {"islam": {"Islam": ["As a religion, Islam emphasizes the ", ""]}, "sikhism": {"Sikh": ["The Sikhs of "]}}
SENTENCES = {
    "islam": {"Islam": ["As a religion, Islam emphasizes the good.", "Islam."]},
    "sikhism": {"Sikh": ["The Sikhs of Canada sing."]},
}


def publish(folder: Path, domain: str, prompts: object = PROMPTS, sentences: object = SENTENCES) -> Path:
    for name, content in ((f"prompts/{domain}_prompt.json", prompts), (f"wikipedia/{domain}_wiki.json", sentences)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def read(folder: Path, config: str = "religious_ideology", **options: Any) -> list[dict[str, str]]:
    return list(iter_rows("bold", config, data_dir=folder, **options))


def test_rows(tmp_path: Path) -> None:
    rows = read(publish(tmp_path, "religious_ideology"))
    assert rows[0] == {
        "id": "religious_ideology-islam-Islam-0000",
        "prompt": "As a religion, Islam emphasizes the ",
        "name": "Islam",
        "group": "islam",
        "domain": "religious_ideology",
        "continuation": "good.",
        "text": "As a religion, Islam emphasizes the good.",
        "anonymized_prompt": "As a religion, XYZ emphasizes the ",
    }
    assert [row["id"][-12:] for row in rows[1:]] == ["m-Islam-0001", "sm-Sikh-0000"]
    assert rows[1]["prompt"] == rows[1]["anonymized_prompt"] == ""
    assert rows[1]["continuation"] == "Islam."
    assert rows[2]["anonymized_prompt"] == "The XYZs of "
    assert all(list(row) == list(bold.BOLD.columns) for row in rows)


@pytest.mark.parametrize(
    ("domain", "page", "text", "expected"),
    [
        ("gender", "Ann_Lee", "Ann Lee is a Christian nurse", "Person is a Christian nurse"),
        ("profession", "Nurse", "Ann Lee is a Christian nurse", "Ann Lee is a Christian XYZ"),
        ("political_ideology", "Nurse", "Ann Lee is a Christian nurse", "Ann Lee is a XYZ XYZ"),
        ("profession", "Nurse_practitioner", "Ann Lee is a nurse", "Ann Lee is a XYZ"),  # the sentence goes on
    ],
)
def test_what_is_masked_in_which_domain(tmp_path: Path, domain: str, page: str, text: str, expected: str) -> None:
    publish(tmp_path, domain, {"g": {page: [text]}}, {"g": {page: [f"{text} practitioner."]}})
    [row] = read(tmp_path, domain)
    assert row["anonymized_prompt"] == expected


def test_counts_that_differ_from_the_paper_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    prompts = {**PROMPTS, "jainism": {"Jain": ["The Jains "]}}
    read(publish(tmp_path, "religious_ideology", prompts, {**SENTENCES, "jainism": {"Jain": ["The Jains sing."]}}))
    [warning] = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert "religious_ideology: 4 prompts, but the paper's table 1 has 639: judaism has 0 instead of 94; " in warning
    assert "jainism has 1 instead of 0" in warning


def test_a_prompt_that_does_not_begin_its_sentence_is_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    publish(tmp_path, "race", {"g": {"Ann_Lee": ["Ann Lee "]}}, {"g": {"Ann_Lee": ["Miss Ann Lee sang."]}})
    [row] = read(tmp_path, "race")
    assert (row["prompt"], row["continuation"], row["text"]) == ("Ann Lee ", "", "Miss Ann Lee sang.")
    assert row["anonymized_prompt"] == "Person "
    assert "race: 1 prompts do not begin their sentence" in caplog.text


@pytest.mark.parametrize(
    ("prompts", "sentences", "message"),
    [
        ("{", SENTENCES, "religious_ideology_prompt.json: cannot read the file as JSON in UTF-8"),
        ([], SENTENCES, "expected an object of groups, each an object of pages"),
        ({"islam": []}, SENTENCES, "expected an object of groups"),
        ({"islam": {"Islam": "x"}}, SENTENCES, "page 'Islam' of 'islam' must be a list of strings"),
        (PROMPTS, {"islam": {"Islam": ["x", None]}}, "wiki.json: page 'Islam' of 'islam' must be a list of strings"),
        ({"islam": {"Islam": ["x"]}}, SENTENCES, "'Islam' of 'islam' has 1 prompts, but .*wiki.json has 2 sentences"),
        (PROMPTS, {"islam": SENTENCES["islam"]}, "'Sikh' of 'sikhism' has 1 prompts, but .*wiki.json has 0 sentences"),
    ],
)
def test_malformed_files_are_named(tmp_path: Path, prompts: object, sentences: object, message: str) -> None:
    with pytest.raises(DataSourceError, match=message):
        read(publish(tmp_path, "religious_ideology", prompts, sentences))


def test_all_is_the_domains_in_turn(tmp_path: Path) -> None:
    for domain in bold.GROUPS:
        publish(tmp_path, domain)
    assert read(tmp_path, "all") == [row for domain in bold.GROUPS for row in read(tmp_path, domain)]
    (tmp_path / "prompts/race_prompt.json").unlink()
    with pytest.raises(DataSourceError, match="no input for race"):
        iter_rows("bold", "all", data_dir=tmp_path)  # at once, not in the middle


def test_the_groups_add_up_to_the_papers_tables() -> None:
    """Tables 1, 3, 9, 10 and 11 of the paper."""
    totals = {domain: (len(groups), sum(groups.values())) for domain, groups in bold.GROUPS.items()}
    assert totals == {
        "profession": (18, 10_195),
        "gender": (2, 3_204),
        "race": (4, 7_657),
        "religious_ideology": (7, 639),
        "political_ideology": (12, 1_984),
    }
    assert bold.BOLD.configurations["all"].rows == 23_679
    merged: Counter[str] = Counter()
    for group, name in bold.PROFESSION_GROUPS.items():
        merged[name] += bold.GROUPS["profession"][group]
    assert merged == {
        "arts & entertainment": 3_009,
        "science & technology": 4_153,
        "industrial & manufacturing": 1_699,
        "healthcare & medicine": 1_173,
    }
    assert bold.GROUPS["profession"].keys() - bold.PROFESSION_GROUPS.keys() == {
        "corporate_titles",
        "professional_driver_types",
    }
    assert list(bold.GROUPS["race"].values()) == [861, 1_854, 4_839, 103]


@real
def test_the_recorded_checksums_are_the_published_files() -> None:
    found = {
        path.relative_to(SHARED).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in SHARED.glob("*/*.json")
    }
    assert found == dict(bold.SHA256)


@pytest.fixture(scope="module")
def everything() -> list[dict[str, str]]:
    return read(SHARED, "all")


@real
def test_the_published_files(everything: list[dict[str, str]]) -> None:
    counts: dict[str, Counter[str]] = {domain: Counter() for domain in bold.GROUPS}
    for row in everything:
        counts[row["domain"]][row["group"]] += 1
    assert counts == {domain: Counter(groups) for domain, groups in bold.GROUPS.items()}
    assert len({row["id"] for row in everything}) == 23_679
    assert sum(not row["prompt"] for row in everything) == 5
    assert sum(len(row["prompt"].split()) not in range(6, 10) for row in everything) == 613
    assert len({row["prompt"] for row in everything}) == 22_303
    assert all(row["prompt"] + row["continuation"] == row["text"] for row in everything)


@real
def test_names_are_masked_in_the_published_files(everything: list[dict[str, str]]) -> None:
    unmasked = [row for row in everything if "Person" not in row["anonymized_prompt"] and row["domain"] == "gender"]
    assert unmasked == []
    for row in everything:
        if row["domain"] in ("religious_ideology", "political_ideology"):
            words = re.findall(r"\w+", row["anonymized_prompt"].lower())
            assert not {"islam", "muslims", "christians", "jewish", "fascism", "communist", "democracy"} & set(words)


@real
def test_table_3_by_counting_words(everything: list[dict[str, str]]) -> None:
    """Table 3's male and female texts, WIKI rows, unigram matching, counted here."""
    male = {"he", "him", "his", "himself", "man", "men", "hes", "boy", "boys"}
    female = {"she", "her", "hers", "herself", "woman", "women", "shes", "girl", "girls"}
    found: Counter[tuple[str, bool]] = Counter()
    for row in everything:
        if row["group"] in bold.PROFESSION_GROUPS:
            text = anonymize_text(row["text"], row["name"]).lower().encode("ascii", "ignore").decode().replace("'", "")
            words = re.sub(r"[^a-z0-9\s]", " ", text).split()
            balance = sum(word in male for word in words) - sum(word in female for word in words)
            if balance:
                found[bold.PROFESSION_GROUPS[row["group"]], balance > 0] += 1
    assert found == {
        ("arts & entertainment", True): 102,
        ("arts & entertainment", False): 66,
        ("science & technology", True): 54,
        ("science & technology", False): 6,
        ("industrial & manufacturing", True): 23,
        ("industrial & manufacturing", False): 17,
        ("healthcare & medicine", True): 3,
        ("healthcare & medicine", False): 19,
    }


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Debbie_Allen", "On February 4, 2009, Debbie Allen was ", "On February 4, 2009, Person was "),
        ("Debbie_Allen", "Debbie met Allen's DEBBIE ALLEN", "Person met Person's Person"),
        ("Debbie_Allen", "debbie allen; allen", "Person; allen"),  # a part counts only with a capital
        ("Debbie_Allen", "Allen, Debbie. Hollywood", "Person. Hollywood"),  # last name first, as in a bibliography
        ("Mark_Allen", "Markets and Allentown Mark", "Markets and Allentown Person"),  # whole words
        ("Anthony_Tyler_Quinn", "Quinn, Anthony Tyler and Tyler Quinn", "Person and Person"),
        ("Glenn_Beck", "Beck also hosts the Glenn Beck television ", "Person also hosts the Person television "),
        ("Martin_Luther_King_Jr.", "Martin Luther King, Jr. and King.", "Person and Person."),
        ("Martin_Luther_King_Jr.", "King Jr. met Sammy Davis Jr. there", "Person met Sammy Davis Jr. there"),
        ("Raymond_St._Jacques", "St. Louis saw St. Jacques", "St. Louis saw Person"),
        ("L._M._Kit_Carson", "L. M. Kit Carson or L M Carson, plan L", "Person or Person, plan L"),
        ("Joel_de_la_Fuente", "la vida de la Fuente, la", "la vida Person, la"),
        ("Emil_Van_Horn", "A Van for Van Horn", "A Van for Person"),
        ("50_Cent", "50 men and 50 Cent", "50 men and Person"),
        ("bell_hooks", "Bell Hooks, bell hooks, a bell", "Person, Person, a bell"),
        # a heading and the sentence after it
        ("John_Rutledge", "NGA Biography of John Rutledge\nJohn Rutledge at ", "NGA Biography of Person\nPerson at "),
        ("Awkwafina", "Awkwafina's AWKWAFINA", "Person's Person"),
        ("Debbie_Allen_.", "Debbie . Allen", "Person . Person"),
        ("Debbie_Allen", "", ""),
    ],
)
def test_names(name: str, text: str, expected: str) -> None:
    assert anonymize_prompt(text, names=[name]) == expected


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("Flight_nurse", "A flight nurse; flight\nNurses, Flight-nurse", "A XYZ; XYZs, XYZ"),
        ("Foundry", "Foundry foundries founder", "XYZ XYZs founder"),
        ("Seamstress", "Seamstresses sew", "XYZs sew"),
        ("Dance", "dancers dance, a dancer dances, danced", "XYZs XYZ, a XYZ XYZs, danced"),
        ("Art", "Art, artists, party, Arthur", "XYZ, XYZs, party, Arthur"),
        ("A/B_testing", "A/B testing (A B testing)", "XYZ (A B testing)"),
        ("Left-wing_politics", "left wing politics", "XYZ"),
        ("Wound,_ostomy,_and_continence_nursing", "wound, ostomy, and continence nursing", "XYZ"),
    ],
)
def test_terms(term: str, text: str, expected: str) -> None:
    assert anonymize_prompt(text, terms=[term]) == expected


def test_the_longest_mention_wins() -> None:
    text = "Christian Identity, Christians and anti-communists; social democracy, left and far-left"
    terms = ["Christian_Identity", "Social_democracy", *RELIGIONS, *IDEOLOGIES]
    assert anonymize_prompt(text, terms=terms) == "XYZ, XYZs and anti-XYZs; XYZ, left and XYZ"
    assert anonymize_prompt(text, terms=terms[::-1]) == anonymize_prompt(text, terms=terms)


def test_a_mention_that_the_end_cuts() -> None:
    text = "An introduction to Structural engineering and more"
    end = len("An introduction to Structural ")
    assert anonymize_prompt(text, terms=["Structural_engineering"], end=end) == "An introduction to XYZ "
    assert anonymize_prompt(text[:end], terms=["Structural_engineering"]) == text[:end]
    assert anonymize_prompt(text, terms=["engineering"], end=end) == text[:end]  # begins after the end
    assert anonymize_prompt("of Peggy Ann Garner", names=["Peggy_Ann_Garner"], end=8) == "of Person"
    assert anonymize_prompt(text, terms=["An"], end=0) == ""


@given(
    text=st.text("ab AB", max_size=12),
    name=st.text("abAB", min_size=1, max_size=3),
    end=st.integers(min_value=0, max_value=12),
)
def test_a_beginning_is_a_beginning(text: str, name: str, end: int) -> None:
    whole = anonymize_prompt(text, names=[name], terms=[name[::-1]])
    assert whole.startswith(anonymize_prompt(text, names=[name], terms=[name[::-1]], end=end).rstrip())
    assert anonymize_prompt(text, names=[name], terms=[name[::-1]], end=len(text)) == whole


class Entities:
    """Fake spaCy pipeline that finds the given mentions."""

    def __init__(self, *mentions: tuple[str, str]) -> None:
        self.mentions = mentions

    def __call__(self, text: str) -> Any:
        found = [(text.index(mention), mention, label) for mention, label in self.mentions]
        return SimpleNamespace(
            ents=[SimpleNamespace(start_char=i, end_char=i + len(m), text=m, label_=label) for i, m, label in found]
        )


def test_named_entities_are_added() -> None:
    text = "American Paul Balthazar Getty met Ann Lee's friend"
    ner = Entities(("American", "NORP"), ("Paul Balthazar Getty", "PERSON"), ("Ann Lee's", "PERSON"))
    assert anonymize_prompt(text, ner=ner) == "American Person met Person's friend"
    # the name that is given and the entity overlap: one person
    names = ["Balthazar_Getty"]
    assert anonymize_prompt(text, names=names, ner=Entities(("Paul Balthazar", "PERSON"))).startswith(
        "American Person met"
    )
    assert anonymize_prompt(text, names=names).startswith("American Paul Person met")


def test_the_preset_bold_replaces_within_words() -> None:
    assert anonymize_text("Flight NURSES and flight nursery", "Flight_nurse") == "XYZS and XYZry"
    assert anonymize_text("copolymers (a.b)", "Polymer") == "coXYZs (a.b)"
    assert anonymize_text("acb a.b", "a.b") == "acb XYZ"  # a name is no pattern
