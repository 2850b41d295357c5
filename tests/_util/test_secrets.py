"""Secrets give way to three stars wherever they are said; ordinary words stay."""

from __future__ import annotations

import base64
import traceback
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils._util.secrets import masked, without_secrets
from fairsum_utils.errors import FairSumError, InputError, MissingDependencyError
from fairsum_utils.io.stores import guarded


def test_what_tells_a_secret() -> None:
    for said, shown in [
        ("https://me:pa:ss@a.org/x", "https://***@a.org/x"),
        ("s3://ID:KEY@bucket/x", "s3://***@bucket/x"),
        ("http://me@[::1]:80/x", "http://***@[::1]:80/x"),
        ("https://a.org/x?token=abc&page=2", "https://a.org/x?token=***&page=2"),
        ("https://a.org/x?page=2&api_key=abc#top", "https://a.org/x?page=2&api_key=***#top"),
        (
            "https://b.s3.amazonaws.com/x?X-Amz-Credential=AK%2F1&X-Amz-Security-Token=t%3D&X-Amz-Signature=00ff",
            "https://b.s3.amazonaws.com/x?X-Amz-Credential=***&X-Amz-Security-Token=***&X-Amz-Signature=***",
        ),
        (
            "?AWSAccessKeyId=AKI1&Expires=1&Signature=q%2Bw%3D",
            "?AWSAccessKeyId=***&Expires=1&Signature=***",
        ),
        ("https://x.blob.core.windows.net/c?sv=1&sig=a%2Bb", "https://x.blob.core.windows.net/c?sv=1&sig=***"),
        ("Authorization: Bearer abc", "Authorization: ***"),
        ("{'Authorization': 'Bearer abc.def-ghi'}", "{'Authorization': '***'}"),
        ("[(b'authorization', b'Basic YTpi')]", "[(b'authorization', b'***')]"),
        ('{\\"authorization\\": \\"Bearer abcdefgh\\"}', '{\\"authorization\\": \\"***\\"}'),
        ("cannot read Bearer abcdefgh of you", "cannot read Bearer *** of you"),
        (f"Basic {base64.b64encode(b'me:pass').decode()}", "Basic ***"),
        ('{"access_token": "abcdef"}', '{"access_token": "***"}'),
        ("key hf_abcdefghijklmnopqrst is wrong", "key *** is wrong"),
        ("key sk-proj-abcdefghijklmnop_qrst is wrong", "key *** is wrong"),
        ("AKIAABCDEFGHIJKLMNOP", "***"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "***"),
        ("eyJ-eyJ-eyJ-no-token eyJhbGciOiJI.eyJzdWIiOiIx. and", "eyJ-eyJ-eyJ-no-token *** and"),
        ("eyJ-x-sk-abcdefghijklmnopqrst", "eyJ-x-***"),
        ("x" * 50 + "://a see x+y://me:pass@a.org", "x" * 50 + "://a see x+y://***@a.org"),
    ]:
        assert masked(said) == shown
        assert masked(shown) == shown


def test_ordinary_words_stay() -> None:
    for text in [
        "basic understanding; authorization required; a cookie, please; bearer bonds",
        "https://a.org/@user/repository?page=2&keyword=a&monkey=b",
        "write to me@a.org, or see http://localhost:8000/v1",
        "tau=0.8, signature=bur|tau=0.8, token: 3, exit code=2",
        "the environment variable OPENAI_API_KEY is not set",
        "",
    ]:
        assert masked(text) == text


@pytest.mark.parametrize(
    "name", ["HF_TOKEN", "OPENAI_API_KEY", "WANDB_API_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "MY_PASSWORD"]
)
def test_values_of_the_environment_in_every_form(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "p@ss/w0rd +é's"
    monkeypatch.setenv(name, f"{secret}\n")
    forms = [secret, quote(secret, safe=""), repr(secret)[1:-1], base64.b64encode(secret.encode()).decode()]
    for form in forms:
        assert masked(f"found <{form}> there").startswith("found <***")
        assert secret not in masked(form)


@pytest.mark.parametrize(
    ("name", "value"),
    [("HF_TOKEN_PATH", "/home/me/token"), ("OPENAI_API_KEY", "none"), ("KEYBOARD", "german-latin"), ("A_KEY", "short")],
)
def test_what_is_no_secret(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    assert masked(f"found {value} there") == f"found {value} there"


def test_a_short_key_that_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sesame")
    assert masked("open sesame") == "open ***"


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=8, max_size=30))
def test_no_environment_variable_of_a_key_comes_through(secret: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOME_API_KEY", secret)
        if secret.lower() not in "***":
            assert secret not in masked(f"a{secret}b")


def test_errors_are_masked_when_they_are_made() -> None:
    for kind in (FairSumError, InputError, MissingDependencyError):
        assert str(kind("see https://me:pass@a.org")) == "see https://***@a.org"


def test_a_traceback_does_not_print_what_the_message_hides() -> None:
    def fail(address: str) -> None:
        with guarded("s3://bucket/x"):
            raise OSError(f"403 at {address}")

    for address, is_chained in (("https://me:pass@a.org", False), ("https://a.org", True)):
        with pytest.raises(FairSumError) as caught:
            fail(address)
        assert (caught.value.__cause__ is not None) == is_chained
        assert "pass" not in "".join(traceback.format_exception(caught.value)).replace('f"403 at {address}"', "")


def test_an_error_behind_an_error() -> None:
    first, second = OSError("?token=abc"), ValueError("no")
    second.__cause__ = first
    assert without_secrets(second) is None
    second.__cause__ = None
    assert without_secrets(second) is second
    second.__context__, second.__suppress_context__ = first, False  # as Python sets it while another is handled
    assert without_secrets(second) is None
    second.__suppress_context__ = True
    assert without_secrets(second) is second
    third = ValueError("no")
    third.__cause__ = third
    assert without_secrets(third) is third  # and it ends
