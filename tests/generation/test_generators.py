"""Local models against plain loops and exact shares; endpoints against a server of the test."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.generation import EndpointGenerator, LocalGenerator, from_preset, generate
from fairsum_utils.generation.generators import _endpoint_seed
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.runner import TruncationWarning

CPU = InferenceSettings(device="cpu")
PROMPTS = ["Great soup ", "slow", "Cold soup, slow service, the wait", "a", "Great soup ", "friendly staff"]


def local(model: Path, preset: str = "gpt2", *, batch_tokens: int | None = None, **options: Any) -> LocalGenerator:
    on_truncate = options.pop("on_truncate", "warn")
    settings = from_preset(preset, **{"max_new_tokens": 8, **options})
    inference = InferenceSettings(
        device="cpu", batch_tokens=batch_tokens, on_truncate=on_truncate, module=settings.module
    )
    return LocalGenerator(model, settings, inference=inference)


@cache
def network_of(model: Path, kind: str = "causal") -> Any:
    import transformers

    name = {"causal": "AutoModelForCausalLM", "seq2seq": "AutoModelForSeq2SeqLM"}[kind]
    return getattr(transformers, name).from_pretrained(model).eval()


@cache
def tokenizer_of(model: Path) -> Any:
    import transformers

    return transformers.AutoTokenizer.from_pretrained(model)


def plain_loop(model: Path, prompt: str, kind: str = "causal", *, prefix: str = "", penalty: float = 1.0) -> str:
    """The likeliest tokens of one prompt: no batch, no padding, nothing kept between steps."""
    import torch

    tokenizer, network = tokenizer_of(model), network_of(model, kind)
    tokens = tokenizer(f"{prefix} {prompt}".strip())["input_ids"]
    if kind == "causal" and tokens[-1] == tokenizer.eos_token_id:
        tokens = tokens[:-1]
    source, tokens = tokens, ([network.config.decoder_start_token_id] if kind == "seq2seq" else tokens)
    start = len(tokens)
    for _ in range(8):
        inputs = {"input_ids": torch.tensor([tokens])}
        if kind == "seq2seq":
            inputs = {"input_ids": torch.tensor([source]), "decoder_input_ids": torch.tensor([tokens])}
        with torch.inference_mode():
            scores = network(**inputs).logits[0, -1].double().numpy()
        for token in set(tokens):
            scores[token] *= penalty if scores[token] < 0 else 1 / penalty
        tokens.append(int(scores.argmax()))
        if tokens[-1] == tokenizer.eos_token_id:
            break
    before, whole = (tokenizer.decode(one, skip_special_tokens=True) for one in (tokens[:start], tokens))
    return str(whole[len(before) :])


def shares_by_hand(scores: Any, temperature: float, top_k: int, top_p: float) -> Any:
    """The probabilities that sampling has to follow, from the scores of a model."""
    scores = scores / temperature
    order = np.argsort(-scores)[: top_k or None]
    shares = np.exp(scores[order] - scores[order[0]])
    shares /= shares.sum()
    kept = order[np.cumsum(shares) - shares < top_p]  # the fewest likeliest that reach top-p
    found = np.zeros_like(scores)
    found[kept] = np.exp(scores[kept] - scores[order[0]])
    return found / found.sum()


def check_draws(generator: LocalGenerator, model: Path, n: int, *how: Any) -> None:
    """Test by chi-square that first tokens are drawn with the right shares."""
    import torch
    from scipy.stats import chisquare

    tokens = generator._encode("Great")
    with torch.inference_mode():
        scores = network_of(model)(torch.tensor([tokens])).logits[0, -1].double().numpy()
    shares = shares_by_hand(scores, *how)
    texts = [generator._text(tokens, [token]) for token in range(len(shares))]
    # Tokens with the same text are counted together, and those that are rarely expected.
    expected: dict[str, float] = {}
    for text, share in zip(texts, shares, strict=True):
        expected[text] = expected.get(text, 0.0) + share * n
    found = Counter(text.text for text in generate(["Great"], generator)[0])
    assert {text for text in found if expected[text] == 0} == set()
    often = [text for text, number in expected.items() if number >= 10]
    counts = [found[text] for text in often]
    numbers = [expected[text] for text in often]
    rest = sum(expected.values()) - sum(numbers)
    if rest >= 5:
        counts, numbers = [*counts, n - sum(counts)], [*numbers, rest]
    else:
        numbers = list(np.array(numbers) * sum(counts) / sum(numbers))
    assert len(counts) > 1
    assert chisquare(counts, numbers).pvalue > 0.001


@pytest.mark.parametrize("penalty", [1.0, 3.0])
def test_batches_equal_a_plain_loop(tiny_model: Any, penalty: float) -> None:
    model = tiny_model("causal", seed=1)
    likeliest = {"temperature": 0.0, "top_k": 0, "top_p": 1.0, "repetition_penalty": penalty}
    found = [text.text for [text] in generate(PROMPTS, local(model, **likeliest))]
    assert found == [plain_loop(model, prompt.strip(), penalty=penalty) for prompt in PROMPTS]
    assert len(set(found)) > 3


def test_ctrl_equals_a_plain_loop(ctrl_model: Path) -> None:
    prompts = ["Great soup", "slow", "Great staff, slow soup. slow"]
    likeliest = {"temperature": 0.0, "top_k": 0, "top_p": 1.0}
    found = [text.text for [text] in generate(prompts, local(ctrl_model, "ctrl-opinion", **likeliest))]
    assert found == [plain_loop(ctrl_model, prompt, prefix="Opinion", penalty=1.2) for prompt in prompts]
    wiki = [text.text for [text] in generate(prompts, local(ctrl_model, "ctrl-wiki", **likeliest))]
    assert wiki != found


def test_sequence_to_sequence_equals_a_plain_loop(tiny_model: Any) -> None:
    model, penalty = tiny_model("seq2seq", forced_eos_token_id=None), 1.3
    options = {"temperature": 0.0, "top_k": 0, "top_p": 1.0, "repetition_penalty": penalty}
    found = [text.text for [text] in generate(PROMPTS, local(model, **options))]
    loop = [plain_loop(model, prompt.strip(), "seq2seq", penalty=penalty) for prompt in PROMPTS]
    assert found == [text.strip() for text in loop]


@pytest.mark.parametrize(
    ("preset", "says", "given", "draws"),
    [
        # Other ways of sampling in the model's configuration do not count.
        ("gpt2", {"min_p": 0.5, "typical_p": 0.2, "temperature": 0.1}, {}, (1.0, 40, 0.95)),
        ("gpt2", {}, {"temperature": 1.3, "top_k": 0, "top_p": 0.8}, (1.3, 0, 0.8)),
        # A model that draws at random draws in its own way.
        ("own", {"temperature": 0.6, "top_p": 0.9}, {}, (0.6, 50, 0.9)),  # as Llama-2 chat
        ("own", {}, {}, (1.0, 50, 1.0)),  # what transformers does where nothing is said
        ("own", {"top_k": 7, "typical_p": 1.0}, {"top_p": 0.8}, (1.0, 7, 0.8)),
        ("own", {"top_k": 0}, {"top_k": 3}, (1.0, 3, 1.0)),
    ],
)
def test_draws_follow_the_settings(
    tiny_model: Any, tmp_path: Path, preset: str, says: dict[str, Any], given: dict[str, Any], draws: Any
) -> None:
    plain = tiny_model("causal", seed=1)
    model = with_config(plain, tmp_path / "copy", "generation_config.json", do_sample=True, **says)
    generator = local(model, preset, chat=False, input="prompt", max_new_tokens=1, n=1000, **given)
    check_draws(generator, plain, 1000, *draws)
    assert generator.identity()["seed"] == 0


def test_a_seed_decides_and_leaves_other_random_numbers_alone(tiny_model: Any) -> None:
    import torch

    model = tiny_model("causal")
    generators = [local(model, seed=seed) for seed in (0, 0, 1)]
    torch.manual_seed(5)
    expected = torch.rand(3).tolist()
    torch.manual_seed(5)
    first, again, other = (generate(PROMPTS, generator) for generator in generators)
    assert torch.rand(3).tolist() == expected
    assert first == again != other
    assert first[0] != first[4]  # equal prompts get texts of their own
    unseeded = from_preset("gpt2", max_new_tokens=8).replace(seed=None)
    fresh = [generate(PROMPTS, LocalGenerator(model, unseeded, inference=CPU)) for _ in range(2)]
    assert fresh[0] != fresh[1]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_what_is_done_is_left_out_and_changes_nothing(tiny_model: Any, temperature: float) -> None:
    prompts = [f"Great soup number {number}"[: 5 + number % 9] for number in range(100)]
    generator = local(tiny_model("causal"), temperature=temperature, max_new_tokens=4)
    whole = dict(generator.write(prompts))
    assert sorted(whole) == list(range(100))
    done = {*range(50), 80, 99}
    rest = dict(generator.write(prompts, done))
    assert rest == {place: text for place, text in whole.items() if place not in done}
    # Further prompts leave the texts before the last 64 as they are.
    more = dict(generator.write([*prompts, "slow"]))
    assert {place: more[place] for place in range(64)} == {place: whole[place] for place in range(64)}


# What is left to the model.

BEAMS = {"num_beams": 3, "min_length": 5, "max_length": 14, "no_repeat_ngram_size": 2, "length_penalty": 2.0}


def with_config(model: Path, folder: Path, file: str, **options: Any) -> Path:
    """A copy of a model in whose configuration some options are changed."""
    shutil.copytree(model, folder)
    config = json.loads((folder / file).read_text(encoding="utf-8"))
    (folder / file).write_text(json.dumps({**config, **options}), encoding="utf-8")
    return folder


def own(model: Path, *, batch_tokens: int | None = None, **options: Any) -> LocalGenerator:
    """A generator that leaves all but the options to the model."""
    settings = from_preset("own", **{"input": "text", **options})
    return LocalGenerator(model, settings, inference=InferenceSettings(device="cpu", batch_tokens=batch_tokens))


def as_transformers(model: Path, texts: list[str], **options: Any) -> list[str]:
    """What the library itself writes, a text at a time, all its options said aloud."""
    import torch

    tokenizer, network = tokenizer_of(model), network_of(model, "seq2seq")
    written = []
    for text in texts:
        with torch.inference_mode():
            [tokens] = network.generate(torch.tensor([tokenizer(text)["input_ids"]]), do_sample=False, **options)
        written.append(tokenizer.decode(tokens, skip_special_tokens=True).strip())
    return written


def texts_of(generator: LocalGenerator, texts: list[str]) -> list[str]:
    return [text.text for [text] in generate(texts, generator)]


TEXTS = PROMPTS[1:4]


def test_a_model_decodes_in_its_own_way(tiny_model: Any, tmp_path: Path) -> None:
    plain = tiny_model("seq2seq")
    model = with_config(plain, tmp_path / "bart", "generation_config.json", **BEAMS)
    generator = own(model, batch_tokens=150)
    expected = as_transformers(plain, TEXTS, **BEAMS)
    assert texts_of(generator, TEXTS) == expected
    assert as_transformers(plain, TEXTS, max_length=14) != expected  # the options matter
    identity = generator.identity()
    names = ("max_new_tokens", "temperature", "input", "decoding")
    assert [identity[name] for name in names] == [13, None, "text", "own"]


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({"max_new_tokens": 7}, {"max_length": 8}),
        ({"repetition_penalty": 3.0}, {"repetition_penalty": 3.0}),
        ({"temperature": 0.0}, {"num_beams": 1}),
    ],
)
def test_an_option_replaces_what_the_model_says_of_it_alone(
    tiny_model: Any, tmp_path: Path, given: dict[str, Any], changed: dict[str, Any]
) -> None:
    plain = tiny_model("seq2seq")
    model = with_config(plain, tmp_path / "bart", "generation_config.json", **BEAMS, repetition_penalty=1.5)
    expected = as_transformers(plain, TEXTS, **{**BEAMS, "repetition_penalty": 1.5, **changed})
    assert texts_of(own(model, **given), TEXTS) == expected


def test_what_the_configuration_says_of_summaries(tiny_model: Any, tmp_path: Path) -> None:
    plain = tiny_model("t5")
    params = {
        "summarization": {**BEAMS, "prefix": "summarize: ", "of_another_library": 1},
        "translation": {"prefix": "translate: "},
    }
    model = with_config(plain, tmp_path / "t5", "config.json", task_specific_params=params)
    generator = own(model)
    prefixed = [f"summarize: {text}" for text in TEXTS]
    expected = as_transformers(plain, prefixed, **BEAMS)
    assert texts_of(generator, TEXTS) == expected
    assert generator.identity()["prefix"] == "summarize:"
    # A prompt says itself what is wanted; a prefix that is given is taken.
    without = as_transformers(plain, TEXTS[:1], **BEAMS)
    assert without != expected[:1]
    assert texts_of(own(model, input="prompt"), TEXTS[:1]) == without
    assert own(model, prefix="")._code == ""
    assert own(model, prefix="tldr:")._code == "tldr:"
    # The preset summary decodes as it says, after the prefix.
    greedy = LocalGenerator(model, from_preset("summary", input="text", max_new_tokens=13), inference=CPU)
    assert texts_of(greedy, TEXTS[:1]) == as_transformers(plain, prefixed[:1], max_new_tokens=13)


def test_a_model_that_continues_may_have_beams_too(tiny_model: Any, tmp_path: Path) -> None:
    plain, given = tiny_model("causal"), {"repetition_penalty": 2.0}
    how = {"num_beams": 3, "max_new_tokens": 9, "no_repeat_ngram_size": 2}
    model = with_config(plain, tmp_path / "gpt2", "generation_config.json", **how)
    # The tokenizer ends a prompt with </s>, which is cut off before it is continued.
    generator = own(model, chat=False, prediction="whole", input="prompt", **given)
    found = texts_of(generator, TEXTS)
    tokens = [generator._encode(text) for text in TEXTS]
    assert found == texts_of(own(model, chat=False, input="prompt", batch_tokens=1, **given), TEXTS)
    import torch

    network = network_of(plain)
    for ids, text in zip(tokens, found, strict=True):
        with torch.inference_mode():
            [whole] = network.generate(torch.tensor([ids]), do_sample=False, **how, **given)
        before, after = (generator._decode(part) for part in (ids, whole.tolist()))
        assert text == after.removeprefix(before)


def test_a_model_that_minds_padding_gets_none(tiny_model: Any, tmp_path: Path) -> None:
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_model("causal"))
    sizes = {"vocab_size": len(tokenizer), "n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64}
    config = transformers.OpenAIGPTConfig(**sizes, initializer_range=0.5, eos_token_id=tokenizer.eos_token_id)
    torch.manual_seed(0)
    transformers.OpenAIGPTLMHeadModel(config).eval().save_pretrained(
        tmp_path
    )  # transformers 4 counts positions from the padding
    tokenizer.save_pretrained(tmp_path)
    prompts = ["Great soup", "slow", "Great staff, slow soup. slow"]
    found = [text.text for [text] in generate(prompts, local(tmp_path, temperature=0.0, top_k=0, top_p=1.0))]
    assert found == [plain_loop(tmp_path, prompt) for prompt in prompts]


def test_the_chat_template(tiny_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = local(tiny_model("causal"), "summary", system="Be brief.")
    tokenizer = chat._loaded.tokenizer
    monkeypatch.setattr(
        tokenizer, "chat_template", "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }} {% endfor %}"
    )
    expected = tokenizer("[system] Be brief. [user] Why? ", add_special_tokens=False)["input_ids"]
    assert chat._encode("Why?") == expected
    plain = local(tiny_model("causal"))
    monkeypatch.setattr(plain._loaded.tokenizer, "chat_template", "{{ nothing }}")
    assert plain._encode("Why? ") == plain._loaded.tokenizer("Why?")["input_ids"][:-1]


def test_the_identity_names_what_matters(tiny_model: Any, ctrl_model: Path) -> None:
    greedy = local(tiny_model("causal"), "summary").identity()
    assert {name for name, option in greedy.items() if option is not None} == {
        "model", "max_new_tokens", "temperature", "chat", "prediction",
    }  # fmt: skip
    assert str(greedy["model"]).startswith("causal@")
    sampled = local(ctrl_model, "ctrl-wiki").identity()
    assert (sampled["top_p"], sampled["seed"], sampled["prefix"]) == (0.9, 0, "Wikipedia")
    half = LocalGenerator(
        tiny_model("causal"), from_preset("gpt2"), inference=InferenceSettings(device="cpu", dtype="bfloat16")
    )
    assert str(half.identity()["model"]).endswith(" bfloat16")
    # A model that suggests no length writes as much as it can.
    assert own(tiny_model("seq2seq")).identity()["max_new_tokens"] == 64


# Prompts that are too long.

LONG = " ".join(f"soup{'s' * (n % 3)} {'bread' * (n % 2)}" for n in range(60))  # no two ends are alike


@pytest.mark.parametrize("cut_from", ["beginning", "end", None])
@pytest.mark.parametrize("kind", ["causal", "seq2seq", "ctrl"])
def test_long_prompts_are_cut_and_counted(tiny_model: Any, ctrl_model: Path, kind: str, cut_from: str | None) -> None:
    model = ctrl_model if kind == "ctrl" else tiny_model(kind)
    generator = local(model, "ctrl-wiki" if kind == "ctrl" else "gpt2", cut_from=cut_from)
    with pytest.warns(TruncationWarning, match="generate: 1 of 2 prompts were too long .* the longest by "):
        [[short], [long]] = generate(["Great", LONG], generator)
    whole, limit = generator._encode(LONG), generator._loaded.max_tokens
    assert limit is not None
    kept, n_cut = generator._fitted(LONG)
    room = limit if kind == "seq2seq" else limit - 8
    assert (short.n_cut, long.n_cut, n_cut) == (0, n_cut, len(whole) - len(kept))
    assert room - 8 < len(kept) <= room  # as much as there is room for, up to what a character takes
    assert generator.identity()["cut_from"] == cut_from
    # What is left is an end of the text; what opens it, such as the control code, and what closes it stay.
    opening = int(kind != "causal" or kept[0] == whole[0])
    assert kept[:opening] == whole[:opening]
    if (cut_from or ("end" if kind == "seq2seq" else "beginning")) == "beginning":
        assert kept[-20:] == whole[-20:]
    else:
        assert kept[:20] == whole[:20]
        assert kind != "seq2seq" or kept[-1] == whole[-1]
    assert kind != "ctrl" or generator._loaded.tokenizer.decode(kept[:1]) == "Wikipedia"


@pytest.mark.parametrize("cut_from", ["beginning", "end"])
def test_a_template_stays_around_what_is_cut(tiny_model: Any, cut_from: str) -> None:
    generator = LocalGenerator(tiny_model("causal"), from_preset("summary", max_new_tokens=8, cut_from=cut_from))
    tokenizer = generator._loaded.tokenizer
    tokenizer.chat_template = "great {% for m in messages %}{{ m['content'] }}{% endfor %} cold bread"
    kept, n_cut = generator._fitted(LONG)
    text = tokenizer.decode(kept).replace(" ", "").replace("\u0120", " ")
    assert text.startswith("great")
    assert text.endswith(" cold bread")
    middle = text.removeprefix("great").removesuffix(" cold bread").strip()
    assert n_cut > 0
    assert middle
    assert LONG.strip().endswith(middle) if cut_from == "beginning" else LONG.startswith(middle)


def test_a_long_prompt_may_be_refused(tiny_model: Any) -> None:
    generator = local(tiny_model("causal"), on_truncate="error")
    with pytest.raises(InputError, match=r"^generate: a prompt is \d+ tokens too long for causal@\w+, which reads 64"):
        generate(["fine", LONG], generator)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match=r"generate: the model .* cannot be used \(the folder does not exist\).*--url"):
        local(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("kind", "preset", "options", "message"),
    [
        ("causal", "gpt2", {"max_new_tokens": 64}, r"@\w+ reads and writes 64 tokens, .* a prompt and max_new"),
        ("seq2seq", "gpt2", {"max_new_tokens": 65}, r"@\w+ reads and writes 64 tokens, .* a prompt and max_new"),
        ("classifier", "gpt2", {}, "cannot be used"),
        ("t5", "summary", {"system": "Be brief."}, "accepts no system message; omit system"),
        ("seq2seq", "own", {"n": 3}, r"uses greedy decoding by default, .* n=3 texts would be equal; "),
    ],
)
def test_models_that_settings_do_not_fit(
    tiny_model: Any, kind: str, preset: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        local(tiny_model(kind), preset, **options)


# Endpoints.


def endpoint(chat_server: Any, preset: str = "summary", **options: Any) -> EndpointGenerator:
    settings = from_preset(preset, **options)
    return EndpointGenerator("tiny", settings, base_url=chat_server.url, max_retries=0, timeout=10)


def test_an_endpoint(chat_server: Any) -> None:
    chat_server.cut = {"b"}
    found = generate(["a", " ", "b"], endpoint(chat_server, system="Be brief.", max_new_tokens=9))
    assert [(text.text, text.finish) for [text] in found] == [
        ("answer to a", "stop"), ("", "empty_prompt"), ("answer to b", "length"),
    ]  # fmt: skip
    request = min(chat_server.requests, key=lambda request: str(request["messages"]))
    conversation = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "a"}]
    assert request == {"model": "tiny", "temperature": 0.0, "max_tokens": 9, "messages": conversation}
    assert len(chat_server.requests) == 2


def test_an_endpoint_samples_with_a_seed_a_text(chat_server: Any) -> None:
    found = generate(["a", "b", "a"], endpoint(chat_server, temperature=0.7, top_p=0.9, n=2, seed=3))
    assert [len(texts) for texts in found] == [2, 2, 2]
    seeds = {
        prompt: sorted(one["seed"] for one in chat_server.requests if one["messages"][0]["content"] == prompt)
        for prompt in "ab"
    }
    assert 3 in seeds["a"]
    assert len(set(seeds["a"])) == 4  # two texts for each of two rows
    assert set(seeds["b"]) < set(seeds["a"])
    assert {one["top_p"] for one in chat_server.requests} == {0.9}


def test_an_endpoint_is_asked_for_what_is_missing(chat_server: Any) -> None:
    generator = endpoint(chat_server, temperature=0.7)
    assert dict(generator.write(["a", "b", "a"], {0})).keys() == {1, 2}
    first, second = sorted(one["seed"] for one in chat_server.requests)
    assert (first, second) == tuple(sorted([0, _endpoint_seed(0, 1)]))  # that of the second "a" is its own
    assert list(generator.write(["a"], {0})) == []


@pytest.mark.parametrize(
    ("preset", "options", "named"),
    [
        ("gpt2", {}, "top_k, chat=False"),
        ("ctrl-wiki", {}, "top_k, repetition_penalty, prefix, chat=False"),
        ("own", {}, "decoding of its own"),
        ("summary", {"cut_from": "end"}, "cut_from"),
    ],
)
def test_what_endpoints_do_not_take(preset: str, options: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=f"^generate: a chat endpoint does not support {named}; use the preset"):
        EndpointGenerator("tiny", from_preset(preset, **options), base_url="http://127.0.0.1:9/v1")


def test_what_ends_a_text(tiny_model: Any) -> None:
    model = tiny_model("causal")
    wild = local(model, temperature=50.0, top_k=0, top_p=1.0, max_new_tokens=40, n=50)  # ends at one of 330 tokens
    assert {text.finish for text in generate(["Great"], wild)[0]} == {"stop", "length"}
    # BART ends every text by force; that is no end of its own.
    assert {text.finish for [text] in generate(PROMPTS, local(tiny_model("seq2seq"), max_new_tokens=1))} == {"length"}


def test_an_empty_answer_is_a_text(chat_server: Any) -> None:
    chat_server.say = lambda prompt: None if prompt == "a" else " \n"
    assert [text.text for [text] in generate(["a", "b"], endpoint(chat_server))] == ["", ""]
