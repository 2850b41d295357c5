"""Options of models, which several commands share."""

from fairsum_utils.cli.command import Command
from fairsum_utils.cli.models import endpoint_settings, model_options
from fairsum_utils.cli.options import given_settings
from fairsum_utils.settings.models import InferenceSettings


def parse(*arguments):
    command = Command("command", params=[*model_options("device", "batch_tokens")])
    return command.parsed(command.make_context("command", [*arguments]))


def test_how_an_endpoint_is_asked():
    expected = {"base_url": None, "concurrency": 8, "max_retries": 5, "timeout": 60}
    assert endpoint_settings(parse()) == expected
    options = parse("--url", "http://localhost:8000/v1", "--retries", "0", "--timeout", "1.5")
    changed = {"base_url": "http://localhost:8000/v1", "max_retries": 0, "timeout": 1.5}
    assert endpoint_settings(options) == expected | changed


def test_how_a_model_runs_here():
    infos = InferenceSettings.infos().values()
    assert given_settings(parse(), "generate", infos) == {}
    given = given_settings(parse("--device", "cpu", "--batch-tokens", "64"), "generate", infos)
    assert given == {"device": "cpu", "batch_tokens": 64}
