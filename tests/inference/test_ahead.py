"""The next thing is made while the caller has the last one."""

import threading

import pytest

from fairsum_utils.inference.ahead import map_ahead


def test_the_next_one_is_made_while_the_last_one_is_looked_at():
    made = [threading.Event() for _ in range(3)]

    def make(number):
        made[number].set()
        return number

    seen = []
    for number in map_ahead(make, range(3)):
        assert made[min(number + 1, 2)].wait(10)
        seen.append(number)
    assert seen == [0, 1, 2]


def test_no_more_than_one_ahead():
    asked = []

    def things():
        for number in range(9):
            asked.append(number)
            yield number

    mapped = map_ahead(str, things())
    assert next(mapped) == "0"
    assert asked == [0, 1]
    mapped.close()


def test_nothing_to_make():
    assert list(map_ahead(str, [])) == []


def test_an_error_comes_in_its_place():
    mapped = map_ahead(lambda number: 1 // number, [1, 0, 1])
    assert next(mapped) == 1
    with pytest.raises(ZeroDivisionError):
        next(mapped)
