"""Chat models: an endpoint that behaves and misbehaves, and a model made by the test."""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.inference.chat import ChatEndpoint, LocalChat

Reply = tuple[int, dict[str, str], bytes] | None


def completion(text: str | None, finish_reason: str = "stop") -> Reply:
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


def refusal(status: int, message: str = "no") -> Reply:
    """A status, and word to try again in a millisecond."""
    headers = {"Content-Type": "application/json", "Retry-After-Ms": "1"}
    return status, headers, json.dumps({"error": {"message": message}}).encode()


def endpoint(chat_server: Any, **options: Any) -> ChatEndpoint:
    return ChatEndpoint("tiny", chat_server.url, **{"cache": "none", "max_retries": 0, "timeout": 10, **options})


def test_answers_come_in_the_order_of_the_prompts(chat_server: Any) -> None:
    def slower_first(prompt: str) -> Reply:
        time.sleep(0.01 * (9 - int(prompt)))
        return completion(f" answer to {prompt}\n")

    chat_server.behave = slower_first
    prompts = [str(n) for n in range(10)] + ["3", "3"]
    assert endpoint(chat_server).complete(prompts) == [f"answer to {prompt}" for prompt in prompts]
    assert Counter(chat_server.prompts) == Counter(set(prompts))  # each once


def test_what_is_asked(chat_server: Any) -> None:
    endpoint(chat_server, temperature=0.5, max_tokens=7, system="Be brief.").complete(["Why?"])
    endpoint(chat_server, max_tokens=None).complete(["Why?"])
    conversation = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    assert chat_server.requests == [
        {"model": "tiny", "temperature": 0.5, "max_tokens": 7, "messages": conversation},
        {"model": "tiny", "temperature": 0.0, "messages": conversation[1:]},
    ]


def test_several_prompts_are_asked_at_a_time(chat_server: Any) -> None:
    together = threading.Barrier(3, timeout=10)  # broken unless three prompts are there at once

    def behave(prompt: str) -> Reply:
        together.wait()
        return completion(prompt)

    chat_server.behave = behave
    assert endpoint(chat_server, concurrency=3).complete(["a", "b", "c"]) == ["a", "b", "c"]


def test_prompts_must_be_strings(chat_server: Any) -> None:
    with pytest.raises(InputError, match=r"chat: prompts\[1\] must be a string, found None"):
        endpoint(chat_server).complete(["a", None])  # type: ignore[list-item]
    assert chat_server.requests == []


def test_a_second_run_asks_nothing(chat_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(chat_server, cache=tmp_path) as chat:
        first = chat.complete(["a", "b"])
    monkeypatch.delenv("OPENAI_API_KEY")
    assert endpoint(chat_server, cache=tmp_path).complete(["b", "a"]) == first[::-1]
    assert sorted(chat_server.prompts) == ["a", "b"]


@pytest.mark.parametrize(
    "option", [{"temperature": 1.0}, {"max_tokens": 5}, {"system": "Be brief."}, {"system": ""}, {"model": "other"}]
)
def test_other_settings_are_asked_anew(option: dict[str, Any], chat_server: Any, tmp_path: Path) -> None:
    for options in ({}, option):
        with ChatEndpoint(**{"model": "tiny", "base_url": chat_server.url, "cache": tmp_path, **options}) as chat:
            chat.complete(["a"])
    assert chat_server.prompts == ["a", "a"]


def test_a_busy_endpoint_is_asked_again(chat_server: Any) -> None:
    replies = [refusal(429), refusal(503), completion("at last")]
    chat_server.behave = lambda _: replies.pop(0)
    assert endpoint(chat_server, max_retries=2).complete(["a"]) == ["at last"]
    assert chat_server.prompts == ["a", "a", "a"]


def slow(_: str) -> Reply:
    time.sleep(0.4)
    return None


@pytest.mark.parametrize(
    ("behave", "parts"),
    [
        (lambda _: refusal(401, "bad key"), ["status 401", "bad key", "OPENAI_API_KEY"]),
        (lambda _: refusal(404, "no such model"), ["status 404", "no such model", "'tiny'", "such as /v1"]),
        (lambda _: refusal(429), ["status 429", "lower concurrency"]),
        (lambda _: refusal(500), ["status 500", "the server failed"]),
        (lambda _: refusal(400, "prompt too long"), ["status 400", "prompt too long", "see above"]),
        (lambda _: (200, {"Content-Type": "text/html"}, b"<html>"), ["not a chat completion", "OpenAI-compatible"]),
        (lambda _: (200, {"Content-Type": "application/json"}, b"junk"), ["OpenAI-compatible"]),
        (lambda _: (200, {"Content-Type": "application/json"}, b'{"choices": []}'), ["not a chat completion"]),
        (lambda _: completion(" \n"), ["the answer is empty (finish_reason: stop)", "raise max_tokens"]),
        (lambda _: None, ["check base_url, and that the server is running"]),
        (slow, ["no answer came within 0.3 s;", "raise timeout"]),
    ],
    ids=["401", "404", "429", "500", "400", "html", "junk", "none", "empty", "hang-up", "slow"],
)
def test_a_failing_endpoint(behave: Callable[[str], Reply], parts: list[str], chat_server: Any) -> None:
    chat_server.behave = behave
    with pytest.raises(FairSumError) as caught:
        endpoint(chat_server, timeout=0.3, module="equal_coverage").complete(["a"])
    message = str(caught.value)
    assert message.startswith(f"equal_coverage: {chat_server.url} (tiny)")
    assert message.endswith("0 of 1 new prompts were answered and cached; run again to continue")
    assert [part for part in parts if part not in message] == []


def test_a_failed_run_goes_on_where_it_stopped(chat_server: Any, tmp_path: Path) -> None:
    def behave(prompt: str) -> Reply:
        if int(prompt) > 3:
            time.sleep(0.05)
        return refusal(500) if prompt == "3" else completion(prompt)

    chat_server.behave = behave
    prompts = [str(n) for n in range(20)]
    with endpoint(chat_server, cache=tmp_path, concurrency=1) as chat, pytest.raises(FairSumError) as caught:
        chat.complete(prompts)
    asked = list(chat_server.prompts)
    assert asked[:4] == ["0", "1", "2", "3"]
    assert len(asked) < 20  # the rest is left, but for what was on its way
    assert "status 500" in str(caught.value)
    assert f"{len(asked) - 1} of 20 new prompts were answered and cached" in str(caught.value)
    chat_server.behave = completion
    with endpoint(chat_server, cache=tmp_path, concurrency=1) as chat:
        assert chat.complete(prompts) == prompts
    assert chat_server.prompts[len(asked) :] == ["3", *prompts[len(asked) :]]


def test_answers_on_their_way_when_another_fails_are_kept(chat_server: Any, tmp_path: Path) -> None:
    both_asked, failed = threading.Barrier(2, timeout=10), threading.Event()

    def behave(prompt: str) -> Reply:
        both_asked.wait()
        if prompt == "bad":
            failed.set()
            return refusal(500)
        failed.wait(10)
        time.sleep(0.1)
        return completion(prompt)

    chat_server.behave = behave
    with (
        endpoint(chat_server, cache=tmp_path, concurrency=2) as chat,
        pytest.raises(FairSumError, match="1 of 2 new prompts were answered and cached"),
    ):
        chat.complete(["good", "bad"])
    assert endpoint(chat_server, cache=tmp_path).complete(["good"]) == ["good"]
    assert len(chat_server.requests) == 2


def test_a_full_disk_stops_the_questions(chat_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(InputError, match=r"cannot use the cache folder .*No space left on device"):
        endpoint(chat_server, cache=tmp_path, concurrency=1).complete([str(n) for n in range(50)])
    assert len(chat_server.requests) < 50


def test_the_key_is_sent_and_shows_up_nowhere(
    chat_server: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    chat_server.behave = lambda prompt: (
        completion("yes") if prompt == "a" else refusal(401, f"{chat_server.key} is no key")
    )
    with endpoint(chat_server, cache=tmp_path) as chat:
        chat.complete(["a"])
        with pytest.raises(FairSumError, match=r"\*\*\* is no key") as caught:
            chat.complete(["b"])
    assert chat_server.keys == [f"Bearer {chat_server.key}"] * 2
    raised = "".join(traceback.format_exception(caught.value))
    written = "".join(path.read_bytes().decode("latin-1") for path in tmp_path.rglob("*") if path.is_file())
    assert "yes" in written
    assert chat_server.url in caplog.text
    for text in (raised, written, caplog.text, *capfd.readouterr(), repr(chat), repr(vars(chat)), chat.signature):
        assert chat_server.key not in text


def test_the_endpoint_may_come_from_the_environment(chat_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url + "/")
    assert ChatEndpoint("tiny", cache="none").complete(["a"]) == ["answer to a"]


def test_openai_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InputError, match="set the environment variable OPENAI_API_KEY"):
        ChatEndpoint("gpt", cache="none").complete(["a"])


@pytest.mark.parametrize("key", ["sk-1\nX: 2", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_not_printed(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(InputError) as caught:
        ChatEndpoint("gpt", "http://127.0.0.1:9/v1", cache="none").complete(["a"])
    assert str(caught.value) == "chat: $OPENAI_API_KEY contains characters that are invalid in a key; set it again"


def test_cut_answers_are_counted_whether_new_or_kept(chat_server: Any, tmp_path: Path) -> None:
    chat_server.behave = lambda prompt: completion(prompt, "length" if prompt != "c" else "stop")
    for _ in range(2):
        with endpoint(chat_server, cache=tmp_path, max_tokens=9) as chat:
            with pytest.warns(RuntimeWarning, match="chat: 2 of 3 answers of tiny were cut off at max_tokens=9"):
                assert chat.complete(["a", "b", "c"]) == ["a", "b", "c"]
            assert chat.complete(["c"]) == ["c"]


def test_signature_of_chat() -> None:
    assert ChatEndpoint("m").signature == "m"
    assert ChatEndpoint("m", temperature=1).signature == "m,temperature=1"
    brief = ChatEndpoint("m", system="Be brief.").signature
    assert brief.startswith("m,system=")
    assert brief != ChatEndpoint("m", system="Be long.").signature


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": ""}, "model must be the name of a model, found str ''"),
        ({"model": None}, "model must be the name of a model, found None"),
        ({"temperature": -1}, "temperature must be a number of at least 0, found int -1"),
        ({"temperature": float("nan")}, "temperature must be a number of at least 0, found NaN"),
        ({"max_tokens": 0}, "max_tokens must be a whole number of at least 1, found int 0"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0 and at most 1,000,000, found int 0"),
        ({"max_retries": -1}, "max_retries must be a whole number of at least 0, found int -1"),
        ({"concurrency": 0}, "concurrency must be a whole number of at least 1, found int 0"),
        ({"system": 3}, "system must be a string or None, found int 3"),
    ],
)
def test_options_that_cannot_be_of_chat(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        ChatEndpoint(**{"model": "m", **options})
    assert str(caught.value) == f"chat: {message}"


def test_an_address_that_cannot_be_is_not_quoted() -> None:
    with pytest.raises(InputError, match="base_url must be an ") as caught:
        ChatEndpoint("m", "http://me:secret@host/v1")
    assert "secret" not in str(caught.value)


def test_key_and_prompts_do_not_go_elsewhere(chat_server: Any) -> None:
    chat_server.behave = lambda _: (307, {"Location": "http://127.0.0.1:9/v1/chat/completions"}, b"")
    with pytest.raises(FairSumError, match=r"status 307: .*redirects are not allowed; use the final address"):
        endpoint(chat_server).complete(["a"])
    assert len(chat_server.requests) == 1


# A model that runs here.

PROMPTS = ["Great soup", "slow", "Cold soup, slow service, the wait", "a", "Great soup"]


@pytest.fixture
def model(tiny_model: Any) -> Path:
    return Path(tiny_model("causal"))


def local(model: Path, **options: Any) -> LocalChat:
    return LocalChat(model, **{"max_tokens": 8, "device": "cpu", "cache": "none", **options})


@pytest.mark.filterwarnings("ignore:.*were cut off at max_tokens")
class TestLocalChat:
    def test_the_likeliest_tokens(self, model: Path) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(model)
        network = AutoModelForCausalLM.from_pretrained(model).eval()
        expected = []
        for prompt in PROMPTS:
            tokens = tokenizer(prompt)["input_ids"]
            start = len(tokens)
            while len(tokens) < start + 8 and tokens[start:][-1:] != [tokenizer.eos_token_id]:
                with torch.inference_mode():
                    tokens.append(int(network(torch.tensor([tokens])).logits[0, -1].argmax()))
            expected.append(tokenizer.decode(tokens[start:], skip_special_tokens=True).strip())
        assert local(model).complete(PROMPTS) == expected
        assert len(set(expected)) > 1

    def test_sampling(self, model: Path) -> None:
        def answers(**how: Any) -> list[str]:
            return local(model, **how).complete(PROMPTS[:3])

        assert answers() == answers(temperature=1e-6)
        assert answers(temperature=1.0, seed=0) == answers(temperature=1.0, seed=0) != answers(temperature=1.0, seed=1)
        assert answers(temperature=1.0, seed=None) != answers(temperature=1.0, seed=None)

    def test_a_prompt_that_is_too_long(self, model: Path) -> None:
        with pytest.raises(InputError) as caught:
            local(model, max_tokens=20, module="equal_coverage").complete(["fine", "x " * 40])
        message = str(caught.value)
        assert message.startswith("equal_coverage: a prompt of ")
        assert "an answer of up to max_tokens=20 exceed the 64 tokens that causal@" in message

    def test_a_model_that_is_not_there(self, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        with pytest.raises(InputError, match=r'Without a model use a chat endpoint .*splitter="sentence"'):
            local(tmp_path / "nothing").complete(["a"])


def test_a_local_answer_that_is_cut_is_counted(model: Path) -> None:
    with pytest.warns(RuntimeWarning, match=r"1 of 1 answers of causal@.* were cut off at max_tokens=1"):
        local(model, max_tokens=1).complete(["Great soup"])
