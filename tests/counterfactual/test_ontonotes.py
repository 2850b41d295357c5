"""Trees, tokens and running text."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fairsum_utils.counterfactual.documents import Document, Mention, NamedEntity
from fairsum_utils.counterfactual.ontonotes import Leaf, Skipped, detokenize, ontonotes, read_trees, surface
from fairsum_utils.errors import DataSourceError, InputError


def leaves(tagged: str) -> list[Leaf]:
    """Parse words of "word|TAG word|TAG"; by default a word is its tag."""
    return [Leaf(surface(word), tag or word) for word, _, tag in (item.partition("|") for item in tagged.split())]


@pytest.mark.parametrize(
    ("tagged", "text"),
    [
        ("`` Go , '' he said : `` No ! ''", '"Go," he said: "No!"'),
        ("the `|`` box '|'' of the boys '|POS", "the 'box' of the boys'"),
        ("I 'm sure Bo 's car wo n't , they 'D", "I'm sure Bo's car won't, they'D"),
        ("in the '80s and rock 'n' roll", "in the '80s and rock 'n' roll"),
        ("a -LRB- b -LSB- c -RSB- -RRB- d", "a (b [c]) d"),
        ("$|$ 5 or US$|$ 7 or #|# 3 or 4%", "$5 or US$7 or #3 or 4%"),
        ("New York -|HYPH based -|: so -- he \\/ she", "New York-based - so -- he/she"),
        ("You can not ; I can and not", "You cannot; I can and not"),
        ("in the U.S. .", "in the U.S."),
        ("the U.S. , etc. ...", "the U.S., etc. ..."),
        ("Why ? .", "Why?."),
        (". .", ".."),
        ("", ""),
    ],
)
def test_running_text(tagged: str, text: str) -> None:
    assert detokenize(leaves(tagged))[0] == text


@pytest.mark.parametrize(
    ("token", "printed"),
    [
        ("``", '"'),
        ("''", '"'),
        ("`", "'"),
        ("-LCB-", "{"),
        (":-RRB-", ":)"),
        ("-RAB-", ">"),
        ("1\\/2", "1/2"),
        ("\\*", "*"),
        ("A&amp;B", "A&B"),
        ("A&B", "A&B"),
        ("&amp;lt;", "&lt;"),
        ("&lt;", "<"),
        ("/.", "."),
        ("and/or", "and/or"),
        ("-NONE-", "-NONE-"),
    ],
)
def test_surface(token: str, printed: str) -> None:
    assert surface(token) == printed


def test_leaves_of_trees() -> None:
    trees = list(
        read_trees(
            "( (S\n  (NP-SBJ-1 (PRP$ His) ( NN  job ))\r\n (VP (VBZ is) (NP (-NONE- *T*-1) (SYM *)))))(X h\u00a0m)\n"
        )
    )
    assert [[leaf.word for leaf in tree] for tree in trees] == [["His", "job", "is", "*T*-1", "*"], ["h\u00a0m"]]
    assert [leaf.is_trace for leaf in trees[0]] == [False, False, False, True, False]
    assert [leaf.pronoun for leaf in trees[0]] == ["PRP$", None, None, None, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a))\n(S (NN b)", "tree 2 has unclosed brackets"),
        ("(S (NN a)))", r"line 1, tree 2: '\)' is out of place"),
        ("(S (NN a))\n\n(S (NP b c))", "line 3, tree 2: 'b' is out of place"),
        ("word", "line 1, tree 1: 'word' is out of place"),
    ],
)
def test_trees_that_are_none(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        list(read_trees(text))


RELEASE = Path(__file__).parent / "ontonotes"
WSJ = "nw/wsj/90/wsj_9001"
XINHUA = "nw/xinhua/90/chtb_9002"

TEXT = """\
Mr. Bo Adams, chairman of A&B Corp., said he wouldn't resign.
His note read: "Add 0.5 * 0" (a 1/2 page).
Some anti-Adams voters left Cy Li-backed groups in the U.S.
Ms. Dee's New York-based firm cannot spend $5 million, she said."""


def read(folder: Path, **options: str | None) -> tuple[dict[str, Document], dict[str, str]]:
    reader = ontonotes(folder, **options)
    documents = {document.id: document for document in reader.documents()}
    assert reader.n == len(documents) + len(reader.skipped)
    return documents, dict(reader.skipped)


def shown(document: Document) -> list[list[tuple[int, str, str | None]]]:
    return [
        [(mention.start, document.text[mention.start : mention.end], mention.pos) for mention in chain]
        for chain in document.chains
    ]


def test_every_oddity() -> None:
    documents, skipped = read(RELEASE)
    assert (list(documents), skipped) == ([WSJ, XINHUA], {})
    document = documents[WSJ]
    assert document.text == TEXT
    # The lines begin at 0, 62, 105 and 165: 61, 42 and 59 characters and a line end each.
    assert [(entity.start, TEXT[entity.start : entity.end], entity.label) for entity in document.entities] == [
        (4, "Bo Adams", "PERSON"),
        (26, "A&B Corp.", "ORG"),
        (62 + 20, "0.5", "CARDINAL"),
        (105 + 10, "Adams", "PERSON"),  # S_OFF: without "anti-"
        (105 + 28, "Cy Li", "PERSON"),  # E_OFF: without "-backed"
        (105 + 51, "the U.S.", "GPE"),
        (165 + 4, "Dee", "PERSON"),
        (165 + 10, "New York", "GPE"),
        (165 + 43, "$5 million", "MONEY"),
    ]
    assert shown(document) == [
        [
            (0, "Mr. Bo Adams, chairman of A&B Corp.,", None),
            (42, "he", "PRP"),
            (62, "His", "PRP$"),  # *PRO*-2 is left out
            (115, "Adams", None),
        ],
        [(26, "A&B Corp.", None)],
        [(62 + 26, "0", None)],  # a word, for its tag is CD
        [(105, "Some anti-Adams voters", None)],
        [(133, "Cy Li", None)],
        [(133, "Cy Li-backed groups", None)],  # without *ICH*-1
        [(165, "Ms. Dee's", None), (220, "she", "PRP")],
        [(165, "Ms. Dee's New York-based firm", None)],  # ID 1 again, of the next part
    ]


def test_files_without_roots_and_without_traces() -> None:
    documents, _ = read(RELEASE / "english/annotations/nw/xinhua")
    assert documents == {
        XINHUA: Document(
            XINHUA,
            "Lady Gray & Sons\nShe met him.",
            (NamedEntity(0, 9, "PERSON"),),
            ((Mention(0, 9), Mention(17, 20, "PRP")),),
        )
    }


@pytest.mark.parametrize(
    ("ending", "old", "new", "reason"),
    [
        (".name", "Bo Adams", "Bo Adam", "9001.name, sentence 1, token 3: found 'Adam', but 9001.parse has 'A"),
        (".name", " page", "", "9001.name, sentence 2, token 14: found ')', but 9001.parse has 'page'"),
        (".name", "said .", "said", "9001.name, sentence 4, token 18: found the end, but 9001.parse has '.'"),
        (".coref", "resign", "go", "9001.coref, sentence 1, token 15: found 'go', but 9001.parse has 'resign'"),
        (".coref", "Add 0.5", "Add 0 0.5", "9001.coref, sentence 2, token 8: found '0', but 9001.parse has '0.5'"),
        (".coref", "said *?* .", "said *?* . .", "sentence 4, token 21: found '.', but 9001.parse has the end"),
        # Only the tag tells that * is a trace.
        (".parse", "(SYM *)", "(-NONE- *)", "9001.name, sentence 2, token 8: found '*', but 9001.parse has '0'"),
        (".parse", "(CD 0)", "(CD 9)", "9001.name, sentence 2, token 9: found '0', but 9001.parse has '9'"),
        (".coref", "</COREF> groups", " groups", "9001.coref, line 5: malformed, <COREF> is not closed on its line"),
        (".coref", "groups", "groups</COREF></COREF>", "coref, line 5: malformed, '</COREF>' is out of place"),
        (".coref", "in the", "in </ENAMEX> the", "9001.coref, line 5: malformed, '</ENAMEX>' is out of place"),
        (".coref", "groups", "gr<oups", "9001.coref, line 5: malformed, '<' is out of place"),
        (".coref", 'ID="7" TYPE', 'ID="7 TYPE', 'line 8: malformed, <COREF ID="7 TYPE="IDENT">'),
        (".coref", ' ID="9"', "", '9001.coref, line 4: malformed, <COREF TYPE="IDENT">'),
        (".name", ' TYPE="MONEY"', "", "9001.name, line 5: malformed, <ENAMEX>"),
        (".name", 'S_OFF="5"', 'S_OFF="-5"', 'line 4: malformed, <ENAMEX S_OFF="-5" TYPE="PERSON">'),
        (".name", 'S_OFF="5"', 'S_OFF="10"', "9001.name, sentence 3: S_OFF and E_OFF leave an empty span"),
        (".parse", "(NN page))", "(NN page)", "9001.parse, tree 2 has unclosed brackets"),
        (".parse", "(NN note)", "(note)", "9001.name, sentence 2, token 2: found 'note', but 9001.parse has 'r"),
        (".name", "Ms. ", "Ms.\n", "9001.name, sentence 4, token 2: found the end, but 9001.parse has 'Dee'"),
        (".name", "</DOC>", "So .\n</DOC>", "9001.name, sentence 5, token 1: found 'So', but 9001.parse has the end"),
        (".parse", "(TOP (S (NP-SBJ (NP (NNP Mr.)", "(X a) (TOP (S (NP-SBJ (NP (NNP Mr.)", "token 1: found 'Mr.'"),
        (
            ".parse",
            "*?*)))\n        (. .)))",
            "*?*)))\n        (. .))) (X Well)",
            "found the end, but 9001.parse has 'W",
        ),
    ],
)
def test_why_a_document_is_skipped(damaged: Callable[..., Path], ending: str, old: str, new: str, reason: str) -> None:
    documents, skipped = read(damaged(RELEASE, f"{WSJ}{ending}", old, new))
    assert (list(documents), list(skipped)) == ([XINHUA], [WSJ])
    assert reason in skipped[WSJ].replace("wsj_", "")


def test_files_that_are_missing_or_no_text(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(5):
        for ending in (".coref", ".name", ".parse"):
            shutil.copy(RELEASE / f"english/annotations/{XINHUA}{ending}", tmp_path / f"{number}{ending}")
    (tmp_path / "0.name").unlink()
    (tmp_path / "1.parse").unlink()
    (tmp_path / "2.name").write_bytes(b"Lady Gr\xffy & Sons\n")
    (tmp_path / "3.parse").write_text("(TOP (NP (-NONE- *)))\n", encoding="utf-8")
    reader = ontonotes(tmp_path)
    with caplog.at_level(logging.WARNING):
        # Without the folders of a release the id is the path in the folder given.
        assert [document.id for document in reader.documents()] == ["4"]
    assert reader.skipped == [
        Skipped("0", "there is no 0.name"),
        Skipped("1", "there is no 1.parse"),
        Skipped("2", "2.name: not UTF-8 (invalid start byte at byte 7)"),
        Skipped("3", "3.parse holds no sentence"),
    ]
    assert caplog.messages == [
        "skipped 4 of 5 OntoNotes documents: 0: there is no 0.name; 1: there is no 1.parse; "
        "2: 2.name: not UTF-8 (invalid start byte at byte 7); and 1 more"
    ]
    (tmp_path / "0.name").write_text("Lady Gray & Sons\nShe met him .\n", encoding="utf-8")
    assert [document.id for document in reader.documents()] == ["0", "4"]
    assert len(reader.skipped) == 3


def test_sections_and_languages(tmp_path: Path) -> None:
    for folder in ("english/annotations/nw/a", "english/annotations/bn/b", "chinese/annotations/nw/c"):
        (tmp_path / folder).mkdir(parents=True)
        for ending in (".coref", ".name", ".parse"):
            shutil.copy(RELEASE / f"english/annotations/{XINHUA}{ending}", tmp_path / folder)
    assert list(read(tmp_path)[0]) == ["nw/a/chtb_9002"]
    assert list(read(tmp_path, section="bn")[0]) == ["bn/b/chtb_9002"]
    assert list(read(tmp_path, section=None)[0]) == ["bn/b/chtb_9002", "nw/a/chtb_9002"]
    assert list(read(tmp_path / "english/annotations/nw")[0]) == ["nw/a/chtb_9002"]
    with pytest.raises(DataSourceError, match="no document of section 'mz'; there are bn, nw"):
        ontonotes(tmp_path, section="mz")
    with pytest.raises(DataSourceError, match=r"chinese: has no \.coref file.*wsj_2401\.coref.*LDC2013T19"):
        ontonotes(tmp_path / "chinese")
