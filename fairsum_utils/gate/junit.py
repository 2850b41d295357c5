"""Verdicts as JUnit XML, which most CI systems show test by test."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from fairsum_utils._util.terminal import printable
from fairsum_utils.gate.policy import Outcome, Verdict

__all__ = ["as_junit"]

_TAGS: dict[Outcome, str] = {"fail": "failure", "undecided": "error"}
"""Outcome -> element of a test that has it. An undecided rule is an error, for a skipped one would look like a pass."""

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(title: str, verdicts: Sequence[Verdict]) -> str:
    """One test suite, with a test case a rule.

    Args:
        title: of the suite: what was checked.
        verdicts: in the order of the rules.

    Example:
        >>> print(as_junit("results.json", [Verdict("uer < 0.05", "fail", 0.25, None, "")]))
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="fairsum check" tests="1" failures="1" errors="0">
          <testsuite name="results.json" tests="1" failures="1" errors="0">
            <testcase classname="fairsum.check" name="uer &lt; 0.05">
              <failure message="found 0.25" type="fail" />
            </testcase>
          </testsuite>
        </testsuites>
    """
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(sum(verdict.outcome == "fail" for verdict in verdicts)),
        "errors": str(sum(verdict.outcome == "undecided" for verdict in verdicts)),
    }
    root = ElementTree.Element("testsuites", {"name": "fairsum check", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _plain(title), **counts})
    for verdict in verdicts:
        case = ElementTree.SubElement(suite, "testcase", {"classname": "fairsum.check", "name": _plain(verdict.rule)})
        if verdict.outcome in _TAGS:
            said = {"message": _plain(verdict.said()), "type": verdict.outcome}
            ElementTree.SubElement(case, _TAGS[verdict.outcome], said)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}'


def _plain(text: str) -> str:
    """A text on one line, without what XML cannot hold or a terminal obeys."""
    return _NO_XML.sub("\ufffd", printable(" ".join(text.split())))
