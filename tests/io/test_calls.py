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


def labelled(n=3):
    return [row | {"stars": list(map(str, row["stars"]))} for row in rows(n)]


def bits(result):
    return repr(result)


class TestScore:
    def test_a_list_beside_a_table(self):
        table, outputs = labelled(), [row["summary"] for row in labelled()]
        without = [{name: row[name] for name in ("reviews", "stars")} for row in table]
        names = {"sources": "reviews", "values": "stars"}
        assert bits(score(without, predictions=outputs, **names)) == bits(score(table, **NAMES))

    def test_predictions_by_id(self):
        table = labelled()
        apart = {row["id"]: row["summary"] for row in reversed(table)}
        assert bits(score(table, **{**NAMES, "predictions": apart})) == bits(score(table, **NAMES))

    def test_the_usual_names(self):
        table = [
            {"prediction": row["summary"], "predictions": 3, "sources": row["reviews"], "values": row["stars"]}
            for row in labelled()
        ]
        assert bits(score(table)) == bits(score(labelled(), **NAMES))

    def test_columns_that_are_read_only_if_named(self):
        """A column of shares, say, may well be called coverage."""
        table = [row | {"coverage": 0.5, "target_distributions": None} for row in labelled()]
        assert bits(score(table, **NAMES)) == bits(score(labelled(), **NAMES))

    def test_turns_and_a_column_of_values(self):
        """The column is what was asked for; the speakers are no values then."""
        turns = [{"speaker": "A", "text": "Tasty soup!"}, {"speaker": "B", "text": "Cold soup."}]
        table = [row | {"reviews": turns} for row in labelled()]
        assert bits(score(table, **NAMES)) == bits(score(labelled(), **NAMES))
        by_speaker = score(table, predictions="summary", sources="reviews", value_key="speaker")
        assert set(by_speaker["uer"]["uer_by_value"]) == {"A", "B"}

    def test_turns_of_measures_without_values(self):
        turns = [{"speaker": "A", "text": "She is a doctor."}, {"speaker": "B", "text": "He is a nurse."}]
        named = {"metrics": "word_list_inclusion"}
        expected = score([{"prediction": "She is.", "sources": [turn["text"] for turn in turns]}], **named)
        assert bits(score([{"prediction": "She is.", "sources": turns}], **named)) == bits(expected)

    @pytest.mark.parametrize(
        ("table", "arguments", "message"),
        [
            (rows(), {"metrics": "sentiment"}, "score: the table: no column 'prediction'; found id, "),
            (rows(), {**NAMES, "transcript": True}, (
                "score: the sources already include the values of their texts; omit"
            )),
            (rows(), {**NAMES, "text_key": "text"}, "score: the table, row 0, id s0: sources must be a list of turns"),
            (rows(), {"predictions": ["a"], "sources": "reviews", "values": "stars", "group_by": "id"}, (
                "score: with group_by all columns come from the table, but predictions is a list; add it to the "
                "table, or give predictions as a table with ids or a dict of id -> prediction"
            )),
            (rows(), {"metrics": "sentiment", "predictions": "summary", "group_by": "id"}, (
                "score: group_by describes sources, but this measure reads none; omit it or choose a measure that "
                "reads sources"
            )),
            (rows(), {**NAMES, "predictoins": "x"}, "score: unknown setting 'predictoins'; did you mean predictions?"),
        ],
    )  # fmt: skip
    def test_refusals(self, table, arguments, message):
        with pytest.raises(InputError) as error:
            score(table, **arguments)
        assert message in str(error.value)
        assert "\n" not in str(error.value)

    @pytest.mark.parametrize(
        ("columns", "arguments", "message"),
        [
            ((rows(), ["a"]), {}, (
                "score: found a table and 1 more positional argument; give columns next to a table by"
            )),
            ((rows(), rows()), {}, "score: found 2 tables; give one, or compare them with compare(a, b)"),
            ((iter("ab"), [["a"]], [["b"]]), {}, (
                "score: predictions must be a list with one entry per sample, found str_ascii_iterator"
            )),
            ((["a"], [["a"]], [["b"]]), {"group_by": "id"}, "score: group_by names a column of a table, but"),
        ],
    )  # fmt: skip
    def test_what_is_given_without_a_name(self, columns, arguments, message):
        with pytest.raises(InputError) as error:
            score(*columns, **arguments)
        assert message in str(error.value)


class TestCompare:
    A = ("Tasty soup.", "Cold soup.", "Soup.")
    B = ("Tasty.", "Tasty, cold.", "Cold.")

    @property
    def expected(self):
        lists = ([row[name] for row in labelled()] for name in ("reviews", "stars"))
        return bits(compare(list(self.A), list(self.B), *lists, metrics="uer,bur"))

    def table(self, summaries):
        return [row | {"summary": summary} for row, summary in zip(labelled(), summaries, strict=True)]

    def test_a_table_of_each_system(self):
        a, b = self.table(self.A), self.table(self.B)
        options = {**NAMES, "metrics": "uer,bur"}
        assert bits(compare(a, b, **options)) == self.expected
        assert bits(compare(a, b[::-1], **options)) == self.expected  # matched by their ids
        assert bits(compare(pd.DataFrame(a), pl.DataFrame(b), **options)) == self.expected
        outputs = [{"id": row["id"], "summary": row["summary"]} for row in reversed(b)]
        assert bits(compare(a, outputs, **options)) == self.expected  # what both share is in A

    def test_a_table_of_each_by_name(self):
        a, b = self.table(self.A), self.table(self.B)
        options = {**NAMES, "metrics": "uer,bur"}
        assert bits(compare({"A": pd.DataFrame(a), "B": b}, **options)) == self.expected
        three = compare({"A": a, "B": b[::-1], "same": pd.DataFrame(a[1:] + a[:1])}, **options)["uer"]
        assert [pair["difference"] for pair in three["differences"] if pair["system"] == "same"] == [0.0]
        columns = {name: [row[name] for row in b] for name in b[0]}
        assert bits(compare({name: [row[name] for row in a] for name in a[0]}, columns, **options)) == self.expected

    def test_one_table(self):
        table = [{**row, "other": text} for row, text in zip(self.table(self.A), self.B, strict=True)]
        names = {"sources": "reviews", "values": "stars", "metrics": "uer,bur"}
        systems = {"A": "summary", "B": {"predictions": "other"}}
        assert bits(compare(systems, pd.DataFrame(table), **names)) == self.expected
        assert bits(compare({"A": list(self.A), "B": "other"}, table, **names)) == self.expected

    def test_turns_by_group(self):
        flat = [
            {"id": row["id"], "text": text, "who": star, "a": a, "b": b}
            for row, a, b in zip(labelled(), self.A, self.B, strict=True)
            for text, star in zip(row["reviews"], row["stars"], strict=True)
        ]
        names = {"group_by": "id", "sources": "text", "values": "who", "metrics": "uer,bur"}
        assert bits(compare({"A": "a", "B": "b"}, flat, **names)) == self.expected
        tables = {
            name: pd.DataFrame(flat).rename(columns={column: "prediction"}) for name, column in (("A", "a"), ("B", "b"))
        }
        assert bits(compare(tables, **names)) == self.expected

    @pytest.mark.parametrize(
        ("tables", "arguments", "message"),
        [
            ((rows() * 2, rows()), NAMES, "compare: the table of A, row 3: id 's0' was used before."),
            ((rows(), rows(), ["x"]), NAMES, "found 2 tables and 1 more positional argument; give columns next to"),
            ((rows(),), NAMES, "compare: needs at least two systems, found A; give a mapping of names -> predictions"),
        ],
    )
    def test_refusals(self, tables, arguments, message):
        with pytest.raises(InputError) as error:
            compare(*tables, **arguments)
        assert message in str(error.value)

    def test_without_ids_the_order_counts(self):
        def tables(summaries):
            return [{name: entry for name, entry in row.items() if name != "id"} for row in self.table(summaries)]

        assert bits(compare(tables(self.A), tables(self.B), **NAMES, metrics="uer,bur")) == self.expected
        with pytest.raises(InputError, match="compare: compare the same samples; found 3 of A, 2 of B"):
            compare(tables(self.A), tables(self.B)[:2], **NAMES)
        with pytest.warns(
            ScoreWarning, match="compare: only B has a column 'id', so samples are paired by order; add the column to A"
        ):
            compare(tables(self.A), self.table(self.B), **NAMES, metrics="uer")


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


def test_what_can_be_read_only_once_is_refused():
    rows = [{"prediction": "Tasty.", "sources": ["Tasty.", "Awful."], "values": ["p", "n"]}]
    for stream in (iter(rows), (row for row in rows), map(dict, rows)):
        with pytest.raises(InputError, match="which can be read only once; make a list of it"):
            score(stream)
    with pytest.raises(InputError, match=r"predictions must be a list .* convert it to a list"):
        score(predictions=iter(["Tasty."]), sources=[["Tasty.", "Awful."]], values=[["p", "n"]])
