"""Several measures and other modules by one call: the numbers of each alone, the shared work done once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from fairsum_utils import AUC, BUR, SOF, UER
from fairsum_utils.combining import combine
from fairsum_utils.errors import InputError
from fairsum_utils.families import families
from fairsum_utils.measures import get_measure
from tests.combining.conftest import (
    COLUMNS,
    LIGHT,
    SAMPLES,
    alone,
    columns_of,
    named,
    own,
    same_bits,
)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Norms of three words."""
    path = tmp_path_factory.mktemp("norms") / "norms.tsv"
    lines = ["word valence arousal dominance joy anger sadness fear disgust", "kind 8 4 5 4 1 1 1 1"]
    lines += ["awful 2 7 3 1 4 3 3 4", "won 8 6 7 5 1 1 1 1"]
    path.write_text("".join(line.replace(" ", "\t") + "\n" for line in lines), encoding="utf-8")
    return str(path)


class TestSameNumbers:
    @pytest.mark.parametrize("more", [{}, {"confidence_level": 0.9, "n_resamples": 30, "return_samples": True}])
    def test_as_each_measure_alone_in_any_order(self, lexicon: str, more: dict[str, Any]) -> None:
        needed: dict[str, dict[str, Any]] = {
            "equal_coverage": {"entailer": "lexical"},
            "coverage_parity": {"entailer": "lexical"},
            "psycholinguistic_norms": {"lexicon": lexicon},
        }
        settings = {name: {**needed.get(name, {}), **more} for name in LIGHT}
        measures = [get_measure(name)(**given) for name, given in settings.items()]
        result = combine(measures).compute(**columns_of(*LIGHT))
        for name in LIGHT:
            assert same_bits(own(result, name), alone(name, **settings[name])), name
        assert same_bits(combine(measures[::-1]).compute(**columns_of(*LIGHT)), result)
        json.dumps(result)

    def test_of_modules_and_of_modules_among_names(self, make: Callable[..., Any]) -> None:
        modules = [make(f"metrics/{name}/{name}.py") for name in ("bur", "sentiment", "word_list_inclusion")]
        result = combine([*modules, "fairsum/uer"]).compute(**columns_of("bur", "sentiment", "word_list_inclusion"))
        for module in modules:
            assert same_bits(
                own(result, module.name), named(module.compute(**columns_of(module.name)), module.name, module.name)
            )
        assert same_bits(own(result, "uer"), alone("uer"))

    def test_one_measure_twice(self) -> None:
        metrics = combine({"strict": BUR(tau=1.0), "bur": BUR, "loose": BUR(tau=0.1, k=2)})
        result = metrics.compute(**columns_of("bur"))
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
        combine([kind(matcher=match) for kind in (BUR, UER, AUC, SOF)]).compute(**columns_of("bur"))
        assert matched == scored
        matched.clear()
        # What is made of the shares may differ, how they are made may not.
        measures = {
            "bur": BUR(matcher=match, tau=0.5, confidence_level=0.9),
            "uer": UER(matcher=match),
            "auc": AUC(matcher=match, n_points=3),
            "sof": SOF(matcher=match, seed=1),
            "again": BUR(matcher=match),
        }
        combine(measures).compute(**columns_of("bur"))
        assert matched == scored
        matched.clear()
        combine([BUR(matcher=match), UER(matcher=match, target="equal")]).compute(**columns_of("bur"))
        assert matched == scored * 2

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
        encoder = str(tiny_model("encoder"))
        settings: dict[str, dict[str, Any]] = {
            "bur": {"matcher": "bertscore", "model": encoder},
            "toxicity": {"model": classifier},
            "equal_coverage": {"entailer": str(nli_model)},
            "coverage_parity": {"entailer": str(nli_model)},
        }
        settings = {name: {**given, "cache": "none", "device": "cpu"} for name, given in settings.items()}
        metrics = combine([get_measure(name)(**given) for name, given in settings.items()])
        results = [metrics.compute(**columns_of(*settings)) for _ in range(2)]
        assert sorted(loaded) == sorted([encoder, classifier, str(nli_model)])
        assert same_bits(*results)
        for name, given in settings.items():
            assert same_bits(own(results[0], name), alone(name, **given)), name
        loaded.clear()
        metrics.close()
        metrics.compute(**columns_of(*settings))
        assert len(loaded) == 3
        metrics.close()


class TestOtherModules:
    def test_inputs_and_options_go_to_those_that_take_them(self, rouge: Any, sacrebleu: Any) -> None:
        columns = {**columns_of("bur", "sentiment"), "references": SAMPLES["references"]}
        texts = {name: SAMPLES[name] for name in ("predictions", "references")}
        by_itself = {**rouge.compute(**texts, rouge_types=["rouge1"]), **sacrebleu.compute(**texts, lowercase=True)}
        options = {"rouge": {"rouge_types": ["rouge1"]}, "sacrebleu": {"lowercase": True}}
        result = combine([BUR(tau=0.9), rouge, "sentiment", sacrebleu], options=options).compute(**columns)
        assert {key: result[key] for key in by_itself} == by_itself
        assert 0 < result["rouge1"] < 1
        assert 0 < result["score"] < 100
        assert same_bits(own(result, "bur"), alone("bur", tau=0.9))
        assert same_bits(own(result, "sentiment"), alone("sentiment"))
        assert list(result)[:2] == ["bur", "bur_by_value"]
        assert type(result["rouge1"]) is float
        assert same_bits(json.loads(json.dumps(result)), result)

    def test_the_plain_route_of_evaluate(self, rouge: Any, make: Callable[..., Any]) -> None:
        """The example in docs/pages/how-to/stacks.md."""
        columns = {**columns_of("bur"), "references": SAMPLES["references"]}
        modules = [make(f"metrics/{name}/{name}.py") for name in ("bur", "uer")]
        plain = evaluate.combine([*modules, rouge])
        with pytest.raises(InputError, match=r"use fairsum_utils\.combine\(\['bur', \.\.\.\]\)"):
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
        with pytest.raises(InputError, match="two results have the name x_y_score; give metrics as a dict"):
            combine({"x": fake("x", {"y_score": 1}), "x_y": fake("y", {"score": 1})}, force_prefix=True).compute(
                **texts
            )


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
            for name in COLUMNS["bur"]
        }
        metrics.add_batch(**columns)
        columns["sources"][0].clear()
        columns["predictions"].clear()
        with pytest.raises(InputError, match="bur: sample 0: sources has 2 texts but values has 1 label"):
            combine(["bur"]).compute(**{**columns_of("bur"), "values": [["pos"]] * 8})
        with pytest.raises(InputError, match="bur: sample 8: prediction must be a string, found None"):
            metrics.compute(predictions=[None], sources=[["a"]], values=[["b"]])
        assert same_bits(own(metrics.compute(), "bur"), alone("bur"))
        metrics.add_batch(**columns_of("bur"))
        metrics.reset()
        assert len(metrics) == 0


class TestRefusals:
    def test_when_samples_are_added(self) -> None:
        metrics = combine(["bur", "sentiment"])
        with pytest.raises(
            InputError, match="combine: there are no samples to score; give predictions, sources, values, target_dis"
        ):
            metrics.compute()
        with pytest.raises(InputError, match="combine: predictions is an empty list"):
            metrics.add_batch(predictions=[])
        with pytest.raises(InputError, match="combine: there are no samples to score; give predictions"):
            metrics.add(prediction=None)
        with pytest.raises(InputError, match=r'tau is a setting of a measure; write metrics=\[BUR\(tau=0.9\), "sentim'):
            metrics.add_batch(predictions=["a"], tau=0.9)
        with pytest.raises(InputError, match="combine: predictions is given twice, the second time as predictions"):
            metrics.add(prediction="a", predictions="b")
        metrics.add(prediction="a", groups="x")
        with pytest.raises(
            InputError, match="combine: the earlier samples have no sources, but the new ones do; give the"
        ):
            metrics.add(prediction="a", groups="x", sources=["a"])
        with pytest.raises(InputError, match="combine: the new samples have no groups, but the earlier ones do"):
            metrics.compute(predictions=["a"])
        assert len(metrics) == 1


def test_every_family_is_here() -> None:
    assert {get_measure(name).family for name in LIGHT} == {*families()}


def test_a_combination_says_what_it_holds(make: Callable[..., Any]) -> None:
    rouge = make("tests/_rouge_module/rouge.py")
    metrics = combine(
        {"strict": BUR(tau=1.0), "uer": UER(k=2), "rouge": rouge}, options={"rouge": {"use_stemmer": True}}
    )
    metrics.add(prediction="a", sources=["a"], values=["x"], reference="a")
    assert repr(metrics).splitlines() == [
        "Combination of 3 (samples added: 1)",
        "  strict: BUR(tau=1.0) of predictions, sources, values, target_distributions",
        "  uer: UER(k=2) of predictions, sources, values, target_distributions",
        "  rouge: rouge(use_stemmer=True) of predictions, references",
    ]
    assert (metrics.columns["values"], metrics.columns["references"]) == (("strict", "uer"), ("rouge",))
