import hashlib
import os

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.identity import Identity, identity_of

MB = 1 << 20


@pytest.mark.parametrize("size", [0, 10, 3 * MB + 7])
def test_content_of_a_file(tmp_path, size):
    path = tmp_path / "a.jsonl"
    content = os.urandom(size)
    path.write_bytes(content)
    found = identity_of(path)
    assert found == Identity(size, "", hashlib.sha256(content).hexdigest())
    assert Identity.from_dict(found.to_dict()) == found


def test_what_changes_it(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"a" * 3 * MB)
    os.utime(path, ns=(0, 0))
    first = identity_of(path)
    for place in (0, MB + 7, 3 * MB - 1):
        content = bytearray(b"a" * 3 * MB)
        content[place] = 0
        path.write_bytes(content)
        os.utime(path, ns=(0, 0))
        assert identity_of(path) != first
    path.write_bytes(b"a" * 3 * MB)
    assert identity_of(path) == first  # whenever it was written


def test_a_folder(tmp_path):
    folder = tmp_path / "saved"
    (folder / "deep").mkdir(parents=True)
    with pytest.raises(InputError, match="saved: this folder is empty"):
        identity_of(folder)
    (folder / "a.arrow").write_bytes(b"12")
    (folder / "deep/b.arrow").write_bytes(b"345")
    first = identity_of(folder)
    assert first.size == 5
    (folder / "deep/b.arrow").rename(folder / "deep/c.arrow")
    assert identity_of(folder) != first
    with pytest.raises(InputError, match=r"none: no such file"):
        identity_of(tmp_path / "none")
