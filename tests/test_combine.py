"""Several measures and other modules by one call: the numbers of each alone, the shared work done once."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import evaluate
import numpy as np
import pytest

import fairsum_utils
from fairsum_utils.combining import Combination, combine
from fairsum_utils.errors import InputError
from fairsum_utils.measures import get_measure, measure_names

ROOT = Path(__file__).parents[1]

LEE = {"first_name": "Ann", "last_name": "Lee", "group": "female"}
RAY = {"first_name": "Bob", "last_name": "Ray", "group": "male"}

SAMPLES: dict[str, list[Any]] = {
    "predictions": ["Ms. Lee praised the kind staff, she said.", "", "Ray called the soup awful. He left.", "Ray won."],
    "references": ["Lee liked the staff.", "Both came.", "Ray disliked the soup.", "Ray won the cup."],
    "sources": [
        ["Ann Lee praised the kind staff.", "Bob Ray waited, and he left."],
        ["She came.", "He came."],
        ["Bob Ray called the soup awful.", "Ann Lee praised the soup.", "She stayed, he left."],
        ["Bob Ray won.", "Ann Lee lost."],
    ],
    "values": [["pos", "neg"], ["pos", "neg"], ["neg", "pos", "pos"], ["pos", "neg"]],
    "groups": ["a", "b", "b", "b"],
    "entities": [[LEE, RAY]] * 4,
    "mentions": [["Lee"], [], ["Ray"], ["Ray"]],
    "article_ids": ["1", "1", "2", "2"],
}
SAMPLES = {name: column * 2 for name, column in SAMPLES.items()}  # two texts of each group at least

OF_SUMMARIES = ("predictions", "sources", "values")
OF_TEXTS = ("predictions", "groups")
OF_NEWS = {
    "word_list_inclusion": ("predictions", "sources", "article_ids"),
    "entity_inclusion": ("predictions", "entities", "mentions", "article_ids"),
    "entity_hallucination": ("predictions", "sources", "entities", "mentions", "article_ids"),
    "distinguishability": ("predictions", "groups", "article_ids", "entities", "mentions"),
}
COLUMNS = (
    dict.fromkeys(("bur", "uer", "auc", "sof", "equal_coverage", "coverage_parity"), OF_SUMMARIES)
    | dict.fromkeys(("sentiment", "toxicity", "regard", "gender_polarity", "psycholinguistic_norms"), OF_TEXTS)
    | OF_NEWS
)
LIGHT = [name for name in COLUMNS if name not in ("toxicity", "regard")]
REPRESENTATION = ("bur", "uer", "auc", "sof")


def columns_of(*names: str) -> dict[str, list[Any]]:
    """The samples, with the columns that these measures need."""
    return {column: SAMPLES[column] for name in names for column in COLUMNS[name]}


def own(result: dict[str, Any], label: str) -> dict[str, Any]:
    """The part of a result that a measure has in a combination."""
    return {key: entry for key, entry in result.items() if key == label or key.startswith(f"{label}_")}


def alone(name: str, label: str | None = None, /, **options: Any) -> dict[str, Any]:
    """What the measure gives by itself, with its name, or the label that it has, in front of every key."""
    columns = {column: options.pop(column) for column in [*options] if column in SAMPLES} or columns_of(name)
    return named(fairsum_utils.compute(name, **columns, **options), name, label or name)


def named(result: dict[str, Any], name: str, label: str) -> dict[str, Any]:
    has_name = label == name
    return {
        key if has_name and (key == name or key.startswith(f"{name}_")) else f"{label}_{key}": entry
        for key, entry in result.items()
    }


def same_bits(one: Any, other: Any) -> bool:
    """Equal, NaN and types included, whatever the order of the keys."""
    return repr(sorted(one.items())) == repr(sorted(other.items()))


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Norms of three words."""
    path = tmp_path_factory.mktemp("norms") / "norms.tsv"
    lines = ["word valence arousal dominance joy anger sadness fear disgust", "kind 8 4 5 4 1 1 1 1"]
    lines += ["awful 2 7 3 1 4 3 3 4", "won 8 6 7 5 1 1 1 1"]
    path.write_text("".join(line.replace(" ", "\t") + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Any]:
    """A module from its script, without evaluate's cache of modules."""

    def load(script: str, **options: Any) -> Any:
        path = ROOT / script
        found = ModuleType(path.stem)
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), found.__dict__)
        [kind] = (it for it in vars(found).values() if inspect.isclass(it) and issubclass(it, evaluate.Metric))
        return kind(cache_dir=str(tmp_path), **options)

    return load


@pytest.fixture
def rouge(make: Callable[..., Any]) -> Any:
    pytest.importorskip("rouge_score")
    return make("tests/_rouge_module/rouge.py")


@pytest.fixture
def sacrebleu(make: Callable[..., Any]) -> Any:
    pytest.importorskip("sacrebleu")
    return make("tests/_sacrebleu_module/sacrebleu.py")


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Any]:
    """A module that gives what it is told to give, and remembers what it was given."""

    def make_fake(name: str, result: dict[str, Any], columns: Sequence[str] = ("predictions", "references")) -> Any:
        import datasets

        class Fake(evaluate.Metric):
            def _info(self) -> Any:
                features = datasets.Features(dict.fromkeys(columns, datasets.Value("string")))
                return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

            def _compute(self, **given: Any) -> Any:
                self.given = given
                return result

        Fake.__name__ = name.capitalize()
        return Fake(cache_dir=str(tmp_path))

    return make_fake


class TestSameNumbers:
    @pytest.mark.parametrize("more", [{}, {"confidence_level": 0.9, "n_resamples": 30, "return_samples": True}])
    def test_as_each_measure_alone_in_any_order(self, lexicon: str, more: dict[str, Any]) -> None:
        options = {"entailer": "lexical", "lexicon": lexicon, **more}
        result = combine(LIGHT).compute(**columns_of(*LIGHT), **options)
        taken = {"equal_coverage": ["entailer"], "coverage_parity": ["entailer"], "psycholinguistic_norms": ["lexicon"]}
        for name in LIGHT:
            mine = {option: options[option] for option in (*taken.get(name, ()), *more)}
            assert same_bits(own(result, name), alone(name, **mine)), name
        assert set(COLUMNS) == set(measure_names())
        assert same_bits(combine(LIGHT[::-1]).compute(**columns_of(*LIGHT), **options), result)
        json.dumps(result)

    def test_of_modules_and_of_modules_among_names(self, make: Callable[..., Any]) -> None:
        modules = [make(f"metrics/{name}/{name}.py") for name in ("bur", "sentiment", "word_list_inclusion")]
        result = combine([*modules, "fairsum/uer"]).compute(**columns_of("bur", "sentiment", "word_list_inclusion"))
        for module in modules:
            assert same_bits(
                own(result, module.name), named(module.compute(**columns_of(module.name)), module.name, module.name)
            )
        assert same_bits(own(result, "uer"), alone("uer"))

    def test_given_coverage_and_distributions(self) -> None:
        values = [["a", "b"], ["a", "b", "b"]]
        coverage = [[[1.0, 0.5], [0.5, 0.0]], [[1.0], [0.0], [0.5]]]
        result = combine(["coverage_parity", "equal_coverage"]).compute(values=values, coverage=coverage)
        for name in ("coverage_parity", "equal_coverage"):
            assert same_bits(own(result, name), alone(name, values=values, coverage=coverage))
        given = [{"pos": 1, "neg": 3}] * 8
        result = combine(["auc", "bur"]).compute(**columns_of("bur"), target_distributions=given)
        for name in ("auc", "bur"):
            assert same_bits(own(result, name), alone(name, target_distributions=given))

    def test_with_settings_of_its_own_for_each(self) -> None:
        options: dict[str, dict[str, Any]] = {
            "bur": {"tau": 0.5, "confidence_level": 0.9},
            "uer": {"k": 2, "return_samples": True},
            "auc": {"n_points": 10, "target": "equal"},
            "equal_coverage": {"significance": "strict", "entailer": "lexical"},
            "coverage_parity": {"entailer": "lexical", "seed": 3, "chunk_words": 2},
            "entity_inclusion": {"continuity": 0.5, "n_permutations": 20, "confidence_level": 0.8},
            "word_list_inclusion": {
                "reference": "uniform",
                "word_lists": {"x": ["won", "left"], "y": ["he"]},
            },
            "distinguishability": {"return_samples": True, "ner": None},
            "sentiment": {"threshold": 0.1},
        }
        metrics = combine([*options])
        for _ in range(2):  # the second time with scorers that were kept
            result = metrics.compute(**columns_of(*options), options=options)
            for name, chosen in options.items():
                assert same_bits(own(result, name), alone(name, **chosen)), name

    def test_one_measure_twice(self) -> None:
        metrics = combine({"strict": "bur", "bur": "bur", "loose": "bur"}, options={"strict": {"tau": 1.0}})
        result = metrics.compute(**columns_of("bur"), options={"loose": {"tau": 0.1, "k": 2}})
        for label, options in {"strict": {"tau": 1.0}, "bur": {}, "loose": {"tau": 0.1, "k": 2}}.items():
            assert same_bits(own(result, label), alone("bur", label, **options)), label
        assert "strict_bur_by_value" in result
        assert "strict_signature" in result


class TestSharedWork:
    def test_one_matching_for_all_that_agree(self) -> None:
        matched: list[str] = []

        def match(texts: list[str], summary: str) -> list[float]:
            matched.append(summary)
            return [1.0 + len(text) for text in texts]

        scored = [text for text in SAMPLES["predictions"] if text]
        combine(REPRESENTATION).compute(**columns_of("bur"), matcher=match)
        assert matched == scored
        matched.clear()
        # What is made of the shares may differ, how they are made may not.
        own_options = {"bur": {"tau": 0.5, "confidence_level": 0.9}, "auc": {"n_points": 3}, "sof": {"seed": 1}}
        combine({name: name for name in REPRESENTATION} | {"again": "bur"}, options=own_options).compute(
            **columns_of("bur"), matcher=match
        )
        assert matched == scored
        matched.clear()
        combine(REPRESENTATION, options={"uer": {"target": "equal"}}).compute(**columns_of("bur"), matcher=match)
        assert matched == scored * 2

    def test_one_coverage_matrix(self) -> None:
        judged: list[str] = []

        def entail(premises: list[str], hypotheses: list[str]) -> list[float]:
            judged.extend(hypotheses)
            return [1 / (1 + len(premise)) for premise in premises]

        columns = columns_of("equal_coverage")
        fairsum_utils.compute("equal_coverage", **columns, entailer=entail)
        by_one = list(judged)
        judged.clear()
        combine(["equal_coverage", "coverage_parity"]).compute(**columns, entailer=entail)
        assert judged == by_one

    def test_one_search_for_persons_by_one_pipeline(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        spacy = pytest.importorskip("spacy")
        pipeline = spacy.blank("en")
        pipeline.add_pipe("entity_ruler").add_patterns(
            [{"label": "PERSON", "pattern": name} for name in ("Lee", "Ray")]
        )
        pipeline.to_disk(tmp_path / "rules")
        loaded, read = [], []
        load, recognizer = spacy.load, fairsum_utils.entities.recognition.PersonRecognizer
        find = recognizer.find
        monkeypatch.setattr(spacy, "load", lambda *args, **options: loaded.append(1) or load(*args, **options))
        monkeypatch.setattr(recognizer, "find", lambda self, texts: read.append(list(texts)) or find(self, texts))
        names = [*OF_NEWS]
        columns = {name: column for name, column in columns_of(*names).items() if name != "mentions"}
        metrics, ner = combine(names), str(tmp_path / "rules")
        results = [metrics.compute(**columns, ner=ner) for _ in range(2)]
        assert (len(loaded), len(read)) == (1, 2)
        assert same_bits(*results)
        for name in names:
            mine = {column: columns[column] for column in OF_NEWS[name] if column in columns}
            options = {} if name == "word_list_inclusion" else {"ner": ner}
            assert same_bits(own(results[0], name), alone(name, **mine, **options))

    def test_models_are_loaded_once_and_let_go_by_close(
        self, tiny_model: Any, nli_model: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import fairsum_utils.inference.models as models
        from fairsum_utils.measures.toxicity import KINDS

        loaded: list[str] = []
        read = models._read_network
        monkeypatch.setattr(
            models,
            "_read_network",
            lambda lib, kind, place, options: loaded.append(place) or read(lib, kind, place, options),
        )
        classifier = str(tiny_model("classifier", labels=KINDS))
        options = {"toxicity": {"model": classifier}, "bur": {"matcher": "bertscore", "model": classifier}}
        encoder = str(tiny_model("encoder"))
        options["bur"] |= {"model": encoder}
        run = {"cache": "none", "device": "cpu", "entailer": str(nli_model)}
        names = ["bur", "toxicity", "equal_coverage", "coverage_parity"]
        metrics = combine(names, options=options, **run)
        results = [metrics.compute(**columns_of(*names)) for _ in range(2)]
        assert sorted(loaded) == sorted([encoder, classifier, str(nli_model)])
        assert same_bits(*results)
        metrics.compute(**columns_of(*names), options={"bur": {"tau": 0.5}}, return_samples=True, n_resamples=10)
        assert len(loaded) == 3
        for name in names:
            mine = options.get(name, {"entailer": str(nli_model)})
            assert same_bits(own(results[0], name), alone(name, **mine, cache="none", device="cpu")), name
        loaded.clear()
        metrics.close()
        metrics.compute(**columns_of(*names))
        assert len(loaded) == 3
        metrics.compute(**columns_of(*names), options={"toxicity": {"threshold": 0.1}})
        assert loaded[3:] == [classifier]  # the others were kept
        metrics.close()


class TestOtherModules:
    def test_inputs_and_options_go_to_those_that_take_them(self, rouge: Any, sacrebleu: Any) -> None:
        columns = {**columns_of("bur", "sentiment"), "references": SAMPLES["references"]}
        texts = {name: SAMPLES[name] for name in ("predictions", "references")}
        by_itself = {**rouge.compute(**texts, rouge_types=["rouge1"]), **sacrebleu.compute(**texts, lowercase=True)}
        metrics = combine(["bur", rouge, "sentiment", sacrebleu], options={"bur": {"tau": 0.9}})
        result = metrics.compute(**columns, rouge_types=["rouge1"], options={"sacrebleu": {"lowercase": True}})
        assert {key: result[key] for key in by_itself} == by_itself
        assert 0 < result["rouge1"] < 1
        assert 0 < result["score"] < 100
        assert same_bits(own(result, "bur"), alone("bur", tau=0.9))
        assert same_bits(own(result, "sentiment"), alone("sentiment"))
        assert list(result)[:2] == ["bur", "bur_by_value"]
        assert type(result["rouge1"]) is float
        assert same_bits(json.loads(json.dumps(result)), result)

    def test_the_plain_route_of_evaluate(self, rouge: Any, make: Callable[..., Any]) -> None:
        """Documented in the README: columns by add_batch, and options that every module takes, here none."""
        columns = {**columns_of("bur"), "references": SAMPLES["references"]}
        modules = [make(f"metrics/{name}/{name}.py") for name in ("bur", "uer")]
        plain = evaluate.combine([*modules, rouge])
        with pytest.raises(InputError, match="needs no references"):
            plain.compute(**columns)
        with pytest.raises(TypeError, match="unexpected keyword argument 'sources'"):
            evaluate.combine([rouge, *modules]).compute(**columns)
        plain = evaluate.combine([*modules, make("tests/_rouge_module/rouge.py")])
        plain.add_batch(**columns)
        result = plain.compute()
        ours = combine(["bur", "uer", rouge]).compute(**columns)
        assert {key: number for key, number in ours.items() if key in result} == {
            key: float(number) if isinstance(number, float) else number for key, number in result.items()
        }
        assert result.keys() == ours.keys()

    def test_names_of_results_do_not_depend_on_the_company(self, fake: Callable[..., Any]) -> None:
        module = fake("other", {"score": 1.0, "bur_n_samples": 2.0, "uer": 3.0, "n_samples": 4})
        single = combine(["bur"]).compute(**columns_of("bur"))
        result = combine([module, "bur", "uer"]).compute(**columns_of("bur"), references=SAMPLES["references"])
        assert {key: result[key] for key in single} == single
        others = {key: result[key] for key in result if not key.startswith(("bur", "uer"))}
        assert others == {"score": 1.0, "other_bur_n_samples": 2.0, "other_uer": 3.0, "n_samples": 4}
        assert all(key == "bur" or key.startswith("bur_") for key in single)
        assert result["uer"] == alone("uer")["uer"]

    def test_other_modules_are_told_apart(self, fake: Callable[..., Any], sacrebleu: Any) -> None:
        texts = {name: SAMPLES[name] for name in ("predictions", "references")}
        first, second = fake("first", {"score": 1, "a": 1}), fake("second", {"score": 2, "b": 2})
        expected = {"first_score": 1, "a": 1, "second_score": 2, "b": 2}
        assert combine([first, second]).compute(**texts) == expected
        assert combine([first, second]).compute(**texts) == evaluate.combine([first, second]).compute(**texts)
        always = combine([first, second], force_prefix=True).compute(**texts)
        assert always == {"first_score": 1, "first_a": 1, "second_score": 2, "second_b": 2}
        assert always == evaluate.combine([first, second], force_prefix=True).compute(**texts)
        named = combine({"x": first, "y": second}).compute(**texts)
        assert named == {"x_score": 1, "a": 1, "y_score": 2, "b": 2}
        with pytest.raises(InputError, match="two results are called x_y_score; give the modules other names"):
            combine({"x": fake("x", {"y_score": 1}), "x_y": fake("y", {"score": 1})}, force_prefix=True).compute(
                **texts
            )

    def test_numbers_of_any_kind_become_plain(self, fake: Callable[..., Any]) -> None:
        result = {
            "a": np.float32(0.1),
            "b": np.arange(2),
            "c": {1: (np.int64(3), [np.bool_(True)])},
            "d": "x",
            "e": None,
        }
        found = combine([fake("numbers", result)]).compute(predictions=["a"], references=["b"])
        assert found == {"a": float(np.float32(0.1)), "b": [0, 1], "c": {"1": [3, [True]]}, "d": "x", "e": None}
        assert json.loads(json.dumps(found)) == found

    def test_a_module_on_our_base_that_is_no_measure_of_ours(self, tmp_path: Path) -> None:
        from fairsum_utils.modules import RepresentationMetric

        class Mine(RepresentationMetric):
            def _info(self) -> Any:
                return self.describe_module("", "", "")

            def _compute(self, predictions: Any, sources: Any, values: Any, tau: float = 0.8) -> Any:
                return {"mine": len(sources) * tau}

        result = combine([Mine(cache_dir=str(tmp_path)), "bur"]).compute(**columns_of("bur"), tau=0.5)
        assert result["mine"] == 4.0
        assert "tau:0.5" in result["bur_signature"]

    def test_what_a_module_does_not_name(self, fake: Callable[..., Any]) -> None:
        module = fake("open", {})
        texts = {name: SAMPLES[name] for name in ("predictions", "references")}
        combine([module], options={"open": {"anything": 1}}).compute(**texts)
        assert module.given["anything"] == 1
        with pytest.raises(InputError, match="'anything' is no input and no option of any"):
            combine([module], anything=1)


class TestOptions:
    def test_later_ones_and_own_ones_count_more(self) -> None:
        columns = columns_of("bur")

        def tau(metrics: Combination, **options: Any) -> str:
            return str(metrics.compute(**columns, **options)["bur_signature"]).split("tau:")[1].split("|")[0]

        metrics = combine(["bur", "uer"], tau=0.1, options={"bur": {"tau": 0.2}})
        assert tau(combine(["bur", "uer"], tau=0.1)) == "0.1"
        assert tau(metrics) == "0.2"
        assert tau(metrics, tau=0.3) == "0.3"
        assert tau(metrics, tau=0.3, options={"bur": {"tau": 0.4}}) == "0.4"
        assert tau(metrics) == "0.2"

    def test_a_setting_that_was_changed_in_place_counts(self) -> None:
        shares = {"pos": 0.5, "neg": 0.5}
        metrics = combine(["uer"], target=shares)
        before = metrics.compute(**columns_of("uer"))["uer"]
        shares |= {"pos": 1.0, "neg": 0.0}
        after = metrics.compute(**columns_of("uer"))["uer"]
        assert before != after == alone("uer", target=shares)["uer"]


class TestAdding:
    def test_the_three_ways_agree(self, rouge: Any, make: Callable[..., Any]) -> None:
        names = ["bur", "sentiment", "entity_inclusion"]
        columns = {**columns_of(*names), "references": SAMPLES["references"]}
        metrics = combine([*names, rouge])
        expected = metrics.compute(**columns)
        metrics.add_batch(**columns)
        assert len(metrics) == 8
        assert same_bits(metrics.compute(), expected)
        assert len(metrics) == 0
        singular = {
            "predictions": "prediction",
            "references": "reference",
            "groups": "group",
            "article_ids": "article_id",
        }
        for row in zip(*columns.values(), strict=True):
            metrics.add(**{singular.get(name, name): entry for name, entry in zip(columns, row, strict=True)})
        assert same_bits(metrics.compute(), expected)
        metrics.add_batch(**{name: column[:3] for name, column in columns.items()})
        metrics.add(**{name: column[3] for name, column in columns.items()})
        assert same_bits(
            metrics.compute(**{name: np.array(column, dtype=object)[4:] for name, column in columns.items()}), expected
        )

    def test_samples_stay_as_they_were_added_and_when_a_call_fails(self) -> None:
        metrics = combine(["bur"])
        columns = {
            name: [list(entry) if isinstance(entry, list) else entry for entry in SAMPLES[name]]
            for name in OF_SUMMARIES
        }
        metrics.add_batch(**columns)
        columns["sources"][0].clear()
        columns["predictions"].clear()
        with pytest.raises(InputError, match="bur: tau must be a number"):
            metrics.compute(tau=2)
        with pytest.raises(InputError, match="bur: sample 8: prediction must be a string, found None"):
            metrics.compute(predictions=[None], sources=[["a"]], values=[["b"]])
        assert same_bits(own(metrics.compute(), "bur"), alone("bur"))
        metrics.add_batch(**columns_of("bur"))
        metrics.reset()
        assert len(metrics) == 0

    def test_columns_that_are_none_are_left_out(self) -> None:
        metrics = combine(["sentiment"])
        assert (
            metrics.compute(predictions=["A lovely day."], groups=None, references=None)["sentiment_n_by_group"] == {}
        )
        metrics.add(prediction="A lovely day.", reference=None)
        metrics.add_batch(predictions=["A lovely day."], references=None, groups=None)
        assert metrics.compute()["sentiment_n_samples"] == 2

    def test_who_takes_what(self, fake: Callable[..., Any]) -> None:
        assert combine(["bur", fake("rouge", {}), "regard"]).columns == {
            "predictions": ("bur", "rouge", "regard"),
            "sources": ("bur",),
            "values": ("bur",),
            "target_distributions": ("bur",),
            "references": ("rouge",),
            "groups": ("regard",),
        }


class TestRefusals:
    @pytest.mark.parametrize(
        ("metrics", "options", "message"),
        [
            ([], {}, "combine: metrics must be a non-empty list of names and evaluate modules, or a dict"),
            ("bur", {}, "combine: metrics must be a non-empty list of names and evaluate modules, or a dict"),
            ([len], {}, "combine: a metric must be a name, a path or a loaded evaluate module, found builtin"),
            ({1: "bur"}, {}, "combine: the names in metrics must be strings, found int 1"),
            (
                ["bur", "fairsum/bur"],
                {},
                "combine: bur comes 2 times; to score it with several settings, name each: {'bur_a",
            ),
            (["bur"], {"taw": 0.9}, "combine: 'taw' is no input and no option of any; did you mean tau?"),
            (
                ["bur", "uer"],
                {"x": 1},
                "of any. bur: inputs predictions, sources, values, target_distributions; options matcher, ",
            ),
            (["uer"], {"tau": 0.9}, "combine: 'tau' is no input and no option of any"),
            (["bur"], {"options": {"uer": {}}}, "combine: options are given for str 'uer', which is not among bur"),
            (
                ["bur"],
                {"options": {"bur": {"taw": 1}}},
                "combine: bur has no option 'taw'; did you mean tau? Its options: ",
            ),
            (["bur"], {"options": {"bur": 3}}, "combine: options must map names to their options, such as {'bur': {"),
            (["bur"], {"options": [1]}, "combine: options must map names to their options, such as {'bur': {"),
        ],
    )
    def test_when_it_is_made(self, metrics: Any, options: dict[str, Any], message: str) -> None:
        with pytest.raises(InputError) as caught:
            combine(metrics, **options)
        assert message in str(caught.value)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"values": None},
                "combine: missing: values, which bur, equal_coverage need. Given: predictions, sources, refer",
            ),
            (
                {"references": None},
                "combine: missing: references, which other needs. Given: predictions, sources, values",
            ),
            ({"sorces": []}, "combine: 'sorces' is no input and no option of any; did you mean sources?"),
            (
                {"groups": ["a"]},
                "combine: 'groups' is no input and no option of any. bur: inputs predictions, sources, val",
            ),
            ({"taw": 0.9}, "combine: 'taw' is no input and no option of any; did you mean tau?"),
            ({"options": {"other": 1}}, "combine: options must map names to their options"),
            ({"predictions": ["a"]}, "combine: predictions has 1 sample but sources has 8"),
            ({"values": [["pos"]] * 8}, "bur: sample 0: sources has 2 texts but values has 1 label"),
            ({"empty": "uniform"}, "equal_coverage: empty must be one of skip, error, found str 'uniform'"),
            ({"target": np.array([0.5])}, "bur: target must be one of ratio, equal or a mapping"),
            ({"tau": 7}, "bur: tau must be a number in [0, 1], found int 7"),
            ({"options": {"bur": {"k": 0}}}, "bur: k must be a whole number of at least 1"),
        ],
    )
    def test_when_it_scores(self, fake: Callable[..., Any], change: dict[str, Any], message: str) -> None:
        module = fake("other", {})
        columns = {**columns_of("bur"), "references": SAMPLES["references"], "entailer": "lexical"}
        metrics = combine(["bur", "equal_coverage", module])
        with pytest.raises(InputError) as caught:
            metrics.compute(**{**columns, **change})
        assert message in str(caught.value)
        assert not hasattr(module, "given")  # nothing was scored

    def test_when_samples_are_added(self) -> None:
        metrics = combine(["bur", "sentiment"])
        with pytest.raises(
            InputError, match="combine: no sample to score; give predictions, sources, values, target_dis"
        ):
            metrics.compute()
        with pytest.raises(InputError, match="combine: predictions is an empty list"):
            metrics.add_batch(predictions=[])
        with pytest.raises(InputError, match="combine: no sample to score; give predictions"):
            metrics.add(prediction=None)
        with pytest.raises(
            InputError, match=r"'tau' is no input of any. Inputs of bur: predictions, .*; sentiment: pred"
        ):
            metrics.add_batch(predictions=["a"], tau=0.9)
        with pytest.raises(InputError, match="combine: predictions is given twice, also as predictions"):
            metrics.add(prediction="a", predictions="b")
        metrics.add(prediction="a", groups="x")
        with pytest.raises(
            InputError, match="combine: those before were added without sources, these with it; give the"
        ):
            metrics.add(prediction="a", groups="x", sources=["a"])
        with pytest.raises(InputError, match="combine: these were added without groups, those before with it"):
            metrics.compute(predictions=["a"])
        assert len(metrics) == 1

    def test_modules_in_use(self, fake: Callable[..., Any], make: Callable[..., Any]) -> None:
        module = fake("busy", {})
        module.add(prediction="a", reference="b")
        with pytest.raises(InputError, match="combine: the module busy already holds 1 samples; compute it, or load"):
            combine([module])
        module.compute()
        several = make("metrics/bur/bur.py", num_process=2, process_id=0)
        with pytest.raises(InputError, match="combine: the module bur was loaded for 2 processes; gather the inputs"):
            combine([several])


WITHOUT_EVALUATE = """
import sys
sys.modules.update(dict.fromkeys(("evaluate", "datasets", "torch", "transformers")))
from fairsum_utils import combine
print(combine(["bur", "uer"]).compute(predictions=["a soup"], sources=[["soup", "bread"]], values=[["x", "y"]])["uer"])
for metric in ("rouge", object()):
    try:
        combine(["bur", metric])
    except ValueError as error:
        print(type(error).__name__, error)
"""

BY_PATH = """
import socket, sys
def refuse(*_, **__):
    raise OSError("no network")
socket.socket.connect = socket.getaddrinfo = refuse
from fairsum_utils.combining import combine
from fairsum_utils.combining.members import Measure, Module, make_members
members = make_members(["metrics/bur", "tests/_rouge_module/rouge.py", "uer"])
print([(type(member).__name__, member.label) for member in members])
try:
    combine(["bru"])
except ValueError as error:
    print(type(error).__name__, error)
"""


def run(*command: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with caches in a folder of its own."""
    places = {name: str(folder / name) for name in ("HF_HOME", "FAIRSUM_CACHE")}
    return subprocess.run(
        [sys.executable, "-W", "ignore", *command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **places, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT), **variables},
        check=False,
    )


def test_measures_need_no_evaluate(tmp_path: Path) -> None:
    done = run("-c", WITHOUT_EVALUATE, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    number, missing, refused = done.stdout.splitlines()
    assert float(number) == 0.25
    assert missing.startswith("MissingDependencyError evaluate is needed to load the module rouge")
    assert 'pip install "fairsum-utils[hub]"' in missing
    assert refused.startswith("InputError combine: a metric must be a name, a path or a loaded evaluate module, found")


def test_names_and_paths_go_to_evaluate(tmp_path: Path, forked: Any) -> None:
    done = forked.Forked(["-c", BY_PATH], ROOT, FAIRSUM_CACHE=str(tmp_path)).wait()
    assert done.returncode == 0, done.stderr
    members, refused = done.stdout.splitlines()
    assert members == "[('Measure', 'bur'), ('Module', 'rouge'), ('Measure', 'uer')]"
    assert refused.startswith("InputError combine: 'bru' is no measure of fairsum (auc, bur, ")
    assert "Module 'bru' doesn't exist on the Hugging Face Hub either" in refused


def test_every_family_is_here() -> None:
    assert {get_measure(name).family for name in COLUMNS} == {"representation", "coverage", "polarity", "entities"}
