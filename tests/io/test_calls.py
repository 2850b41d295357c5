"""Calls with a table: the same bits as with lists, whatever the table and its shape, and one line for what is wrong."""

import pandas as pd
import polars as pl
import pytest

from fairsum_utils import compare, score
from fairsum_utils.errors import InputError, ScoreWarning
from fairsum_utils.families.asked import asked_measures
from fairsum_utils.io.systems import columns_of_systems


def rows(n=3):
    return [
        {"id": f"s{i}", "summary": f"Tasty soup {i}.", "reviews": ["Tasty soup!", "Cold soup."], "stars": [5, 1]}
        for i in range(n)
    ]


NAMES = {"predictions": "summary", "sources": "reviews", "values": "stars"}


TURNS = [{"speaker": "A", "text": "Tasty soup!"}, {"speaker": "B", "text": "Cold soup."}]
LABELLED = [row | {"stars": list(map(str, row["stars"]))} for row in rows()]


@pytest.mark.parametrize(
    ("table", "arguments"),
    [
        (LABELLED, {**NAMES, "predictions": [row["summary"] for row in LABELLED]}),
        (LABELLED, {**NAMES, "predictions": {row["id"]: row["summary"] for row in reversed(LABELLED)}}),
        # A column of shares, say, may well be called coverage: it is read only if it is named.
        ([row | {"coverage": 0.5, "target_distributions": None} for row in LABELLED], NAMES),
        # The column of values is what was asked for; the speakers are no values then.
        ([row | {"reviews": TURNS} for row in LABELLED], NAMES),
    ],
)
def test_score_of_a_table_is_that_of_its_columns(table, arguments):
    columns = {name: [row[column] for row in LABELLED] for name, column in NAMES.items()}
    assert repr(score(table, **arguments)) == repr(score(**columns))


def test_turns():
    by_speaker = score([row | {"reviews": TURNS} for row in LABELLED], **{**NAMES, "values": None}, value_key="speaker")
    assert set(by_speaker["uer"]["uer_by_value"]) == {"A", "B"}
    named = {"metrics": "word_list_inclusion"}
    expected = score([{"prediction": "She is.", "sources": [turn["text"] for turn in TURNS]}], **named)
    assert repr(score([{"prediction": "She is.", "sources": TURNS}], **named)) == repr(expected)


@pytest.mark.parametrize(
    ("columns", "arguments", "message"),
    [
        ((rows(),), {"metrics": "sentiment"}, "the table: no column 'prediction'; found id, "),
        ((rows(),), {**NAMES, "transcript": True}, "the sources already include the values of their texts; omit"),
        ((rows(),), {**NAMES, "text_key": "text"}, "the table, row 0, id s0: sources must be a list of turns"),
        ((rows(),), {**NAMES, "predictions": ["a"], "group_by": "id"}, (
            "with group_by all columns come from the table, but predictions is a list; add it to the table, or give"
        )),
        ((rows(),), {"metrics": "sentiment", "predictions": "summary", "group_by": "id"}, (
            "group_by describes sources, but this measure reads none; omit it or choose a measure that reads sources"
        )),
        ((rows(),), {**NAMES, "predictoins": "x"}, "unknown setting 'predictoins'; did you mean predictions?"),
        ((rows(), ["a"]), {}, "found a table and 1 more positional argument; give columns next to a table by"),
        ((rows(), rows()), {}, "found 2 tables; give one, or compare them with compare(a, b)"),
        ((["a"], [["a"]], [["b"]]), {"group_by": "id"}, "group_by names a column of a table, but"),
        ((iter("ab"), [["a"]], [["b"]]), {}, "predictions must be a list with one entry per sample, found str_ascii_"),
        ((iter(rows()),), {}, "which can be read only once; make a list of it"),
    ],
)  # fmt: skip
def test_refusals_of_score(columns, arguments, message):
    with pytest.raises(InputError) as error:
        score(*columns, **arguments)
    assert str(error.value).startswith("score: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


A = ("Tasty soup.", "Cold soup.", "Soup.")
B = ("Tasty.", "Tasty, cold.", "Cold.")


def unnamed(rows):
    return [{name: entry for name, entry in row.items() if name != "id"} for row in rows]


def table_of(summaries):
    return [row | {"summary": summary} for row, summary in zip(LABELLED, summaries, strict=True)]


def test_compare_of_tables_is_that_of_their_columns():
    a, b = table_of(A), table_of(B)
    both = [{**row, "other": text} for row, text in zip(a, B, strict=True)]
    shared = {"sources": "reviews", "values": "stars"}
    columns = [{name: [row[name] for row in rows] for name in rows[0]} for rows in (a, b)]
    turns = [
        {"id": row["id"], "text": text, "who": star, "a": row["summary"], "b": row["other"]}
        for row in both
        for text, star in zip(row["reviews"], row["stars"], strict=True)
    ]
    by_turn = {"group_by": "id", "sources": "text", "values": "who"}
    tables = {name: pd.DataFrame(turns).rename(columns={name.lower(): "prediction"}) for name in "AB"}
    expected = repr(compare(list(A), list(B), *(columns[0][name] for name in shared.values()), metrics="uer,bur"))
    for systems, names in (
        ((a, b), NAMES),
        ((a, b[::-1]), NAMES),  # matched by their ids
        ((pd.DataFrame(a), pl.DataFrame(b)), NAMES),
        ((a, [{"id": row["id"], "summary": row["summary"]} for row in reversed(b)]), NAMES),  # A has what both share
        (columns, NAMES),
        (({"A": pd.DataFrame(a), "B": b},), NAMES),
        (({"A": "summary", "B": {"predictions": "other"}}, pd.DataFrame(both)), shared),
        (({"A": list(A), "B": "other"}, both), shared),
        (({"A": "a", "B": "b"}, turns), by_turn),
        ((tables,), by_turn),
        ((unnamed(a), unnamed(b)), NAMES),  # in their order
    ):
        assert repr(compare(*systems, **names, metrics="uer,bur")) == expected
    three = compare({"A": a, "B": b[::-1], "same": pd.DataFrame(a[1:] + a[:1])}, **NAMES, metrics="uer")["uer"]
    assert [pair["difference"] for pair in three["differences"] if pair["system"] == "same"] == [0.0]


def test_ids_of_one_table_alone():
    with pytest.warns(
        ScoreWarning, match="compare: only B has a column 'id', so samples are paired by order; add the column to A"
    ):
        compare(unnamed(table_of(A)), table_of(B), **NAMES, metrics="uer")


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ((rows() * 2, rows()), "the table of A, row 3: id 's0' was used before."),
        ((rows(), rows(), ["x"]), "found 2 tables and 1 more positional argument; give columns next to"),
        ((rows(),), "needs at least two systems, found A; give a mapping of names -> predictions"),
        ((unnamed(rows()), unnamed(rows(2))), "compare the same samples; found 3 of A, 2 of B"),
    ],
)
def test_refusals_of_compare(tables, message):
    with pytest.raises(InputError, match=f"^compare: {message}"):
        compare(*tables, **NAMES)


TEXTS = {"x": ["Soup.", "Bread.", "Staff."], "y": ["Cold.", "Slow.", "Late."]}
SHARED = {"sources": [["Soup.", "Cold."]] * 3, "values": [["p", "n"]] * 3}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
class TestSystems:
    @staticmethod
    def columns(systems, *columns, names=("uer",), **arguments):
        found = columns_of_systems(systems, columns, asked_measures("compare", list(names)), arguments)
        return list(found.columns.values()), found.others

    def test_columns_by_place_by_name_and_of_a_table(self):
        expected = [{"predictions": texts, **SHARED} for texts in TEXTS.values()]
        table = pd.DataFrame(SHARED)
        other = table.rename(columns={"sources": "reviews", "values": "stars"})
        for found in (
            self.columns(TEXTS, *SHARED.values(), other=2),
            self.columns(TEXTS, **SHARED, other=2),
            self.columns(TEXTS, table, other=2),
            self.columns(TEXTS, other, sources="reviews", values="stars", other=2),
            self.columns(*TEXTS.values(), *SHARED.values(), other=2),
            self.columns(*TEXTS.values(), **SHARED, other=2),
            self.columns(*TEXTS.values(), table, other=2),
        ):
            assert found == (expected, {"other": 2})

    def test_predictions_by_id_beside_a_table(self):
        places = ["north", "south", "west"]
        rows = [
            {"place": place, "text": text, "side": side}
            for place, texts, sides in zip(places, SHARED["sources"], SHARED["values"], strict=True)
            for text, side in zip(texts, sides, strict=True)
        ]
        by_id = {name: dict(zip(reversed(places), reversed(texts), strict=True)) for name, texts in TEXTS.items()}
        names = {"sources": "text", "values": "side"}
        found, _ = self.columns(by_id, rows, group_by="place", **names)
        assert found == [{"predictions": texts, **SHARED} for texts in TEXTS.values()]
        by_id["y"] = {"north": "Soup."}
        with pytest.raises(InputError, match="place 'south' has no prediction"):
            self.columns(by_id, rows, group_by="place", **names)

    def test_columns_of_their_own_beside_those_of_all(self):
        people = [[{"first_name": "Ann", "last_name": "Lee", "group": "f"}]] * 3
        systems = {name: {"predictions": texts, "mentions": [["Ann"]] * 3} for name, texts in TEXTS.items()}
        found, others = self.columns(systems, entities=people, names=["entity_inclusion"])
        assert [list(each) for each in found] == [["predictions", "mentions", "entities"]] * 2
        assert found[1]["mentions"] == [["Ann"]] * 3
        assert others == {}

    @pytest.mark.parametrize(
        ("systems", "columns", "arguments", "message"),
        [
            (TEXTS, (rows(),), {"sources": "reviews"}, "the table: no column 'values'; found id, summary, "),
            (TEXTS, (rows(),), {}, "no column 'sources', 'values'; found id, summary, "),
            (
                {"x": "none", "y": ["a"]},
                (pd.DataFrame(SHARED),),
                {},
                "no column 'none' for predictions of x; it has so",
            ),
            (TEXTS, (rows(), rows()), {}, "found 2 tables; give one"),
            (
                TEXTS,
                ([["a"]], [["p"]], [["b"]], [["q"]]),
                {},
                "found 4 positional columns, but only sources, values can be positional; name",
            ),
            (TEXTS, ([["a"]],), {"sources": [["b"]]}, "sources is given twice, by position and by name; give it once"),
            ({"x": ["a"], "y": ["b", "c"]}, (), {}, "compare the same samples; found 1 of x, 2 of y"),
        ],
    )
    def test_refusals(self, systems, columns, arguments, message):
        with pytest.raises(InputError) as error:
            self.columns(systems, *columns, **arguments)
        assert str(error.value).startswith("compare: ")
        assert message in str(error.value)
        assert "\n" not in str(error.value)
