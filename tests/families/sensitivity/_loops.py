"""The family's measures as their cards define them, as loops over texts: slow, and sharing no code with them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

Row = Mapping[str, Any]
Inputs = dict[tuple[str, str], list[Any]]


def mean(numbers: Iterable[float]) -> float:
    """NaN of none."""
    listed = list(numbers)
    return sum(listed) / len(listed) if listed else math.nan


def cut(text: str) -> list[str]:
    """The words of an English text."""
    return re.findall(r"[a-z0-9]+(?:'[a-z0-9]+)*", text.lower())


def by_original(rows: Sequence[Row], take: Callable[[int, Row], Any]) -> dict[str, Inputs]:
    """Original -> (variant, control) -> what is taken of each summary that is not blank."""
    found: dict[str, Inputs] = {}
    for place, row in enumerate(rows):
        if row["predictions"].strip():
            key = str(row["variants"]), str(row.get("controls") or "")
            found.setdefault(str(row["article_ids"]), {}).setdefault(key, []).append(take(place, row))
    return found


# Distances


def word_distance(first: str, second: str) -> float:
    """1 - cosine of word counts."""
    one, other = Counter(cut(first)), Counter(cut(second))
    if not one or not other:
        return float(bool(one or other))
    lengths = [math.sqrt(sum(n * n for n in counts.values())) for counts in (one, other)]
    return 1 - sum(n * other[word] for word, n in one.items()) / (lengths[0] * lengths[1])


# Counterfactual gap


def gap(rows: Sequence[Row]) -> dict[str, Any]:
    """The gap, its sides, its floor and its p-value, of all variants and of each two."""
    originals = by_original(rows, lambda _, row: row["predictions"])

    def sides(inputs: Inputs, variants: Sequence[str]) -> dict[str, float]:
        texts = list(inputs.values())
        different: list[float] = []
        same: list[float] = []
        for i, j in combinations(range(len(texts)), 2):
            of_pair = mean(word_distance(a, b) for a in texts[i] for b in texts[j])
            (same if variants[i] == variants[j] else different).append(of_pair)
        alone = [mean(word_distance(a, b) for a, b in combinations(own, 2)) for own in texts if len(own) > 1]
        return {"between": mean(different), "controls": mean(same), "replicates": mean(alone)}

    def told(chosen: Sequence[str], floor: str) -> dict[str, Any]:
        found, ways = [], []
        for whole in originals.values():
            inputs = {key: own for key, own in whole.items() if key[0] in chosen}
            variants = [variant for variant, _ in inputs]
            observed = sides(inputs, variants)
            if not math.isnan(observed["between"] + observed[floor]):
                found.append((observed["between"], observed[floor]))
            if not math.isnan(observed["between"] + observed["controls"]):
                handed = [sides(inputs, order) for order in sorted(set(permutations(variants)))]
                own = [observed["between"] - observed["controls"]]
                ways.append((own, [way["between"] - way["controls"] for way in handed]))
        score = mean(between - within for between, within in found)
        p = _p_value(sum(own for [own], _ in ways), [all_ways for _, all_ways in ways]) if ways else math.nan
        return {"gap": score, "n": len(found), "p": p, "between": mean(b for b, _ in found)}

    variants = sorted({variant for inputs in originals.values() for variant, _ in inputs})
    floor = "controls" if told(variants, "controls")["n"] or not told(variants, "replicates")["n"] else "replicates"
    pairs = {pair: told(pair, floor) for pair in combinations(variants, 2)} if len(variants) > 2 else {}
    return {**told(variants, floor), "floor": floor, "pairs": {pair: one for pair, one in pairs.items() if one["n"]}}


# Counterfactual outcomes


def outcomes(rows: Sequence[Row], known: Sequence[Mapping[str, float] | None], names: Sequence[str]) -> list[Any]:
    """The test of each outcome and two variants, from the outcomes of each summary."""
    originals = by_original(rows, lambda place, _: known[place])
    variants = sorted({variant for inputs in originals.values() for variant, _ in inputs})

    def of_input(summaries: Sequence[Mapping[str, float]], name: str) -> float:
        return mean(one[name] for one in summaries if name in one)

    found = []
    for name in names:
        every = [of_input(own, name) for inputs in originals.values() for own in inputs.values()]
        every = [number for number in every if not math.isnan(number)]
        deviation = math.sqrt(mean((number - mean(every)) ** 2 for number in every)) if every else math.nan
        for pair in combinations(variants, 2):
            differences, moved, ways = [], [], []
            for inputs in originals.values():
                first, second = (
                    [of_input(own, name) for key, own in inputs.items() if key[0] == variant] for variant in pair
                )
                if not first or not second or math.isnan(sum(first + second)):
                    continue
                differences.append(mean(first) - mean(second))
                moved.append(mean(abs(a - b) for a in first for b in second))
                ways.append([mean(one) - mean(rest) for one, rest in _parted(first + second, len(first))])
            if differences:
                p = _p_value(sum(differences), ways, abs)
                size = mean(differences) / deviation if deviation > 1e-12 else 0.0
                found.append((name, *pair, mean(differences), size, mean(moved), len(differences), p))
    return found


def _parted(numbers: Sequence[float], n: int) -> list[tuple[list[float], list[float]]]:
    """All ways to choose n of them, and the rest."""
    places = range(len(numbers))
    return [
        ([numbers[k] for k in chosen], [numbers[k] for k in places if k not in chosen])
        for chosen in combinations(places, n)
    ]


def _p_value(observed: float, of_each: Sequence[Sequence[float]], size: Callable[[float], float] = float) -> float:
    """The share of all combinations of ways, one of each original, whose sum is as large."""
    sums = [0.0]
    for ways in of_each:
        sums = [total + way for total in sums for way in ways]
    return sum(size(total) >= size(observed) - 1e-9 for total in sums) / len(sums)


# Order sensitivity


def lexical_shares(summary: str, sources: Sequence[str]) -> list[float] | None:
    """How much of a summary is from each source, by whole sentences and rare words."""
    held = [set(cut(source)) for source in sources]
    shares = [0.0] * len(sources)
    for sentence in map(cut, re.findall(r"[^.]+", summary)):
        rarity = {word: sum(word in words for words in held) for word in sentence}
        weights = [sum(math.log(len(sources) / rarity[word]) for word in sentence if word in words) for words in held]
        if max(weights, default=0.0) > 1e-12:
            best = [place for place, weight in enumerate(weights) if weight > max(weights) - 1e-9]
            for place in best:
                shares[place] += len(sentence) / len(best)
    return [share / sum(shares) for share in shares] if sum(shares) else None


def ngram_shares(summary: str, sources: Sequence[str]) -> list[float] | None:
    """The same by pairs of neighbouring words; a text of one word has that."""

    def grams(text: str) -> list[tuple[str, ...]]:
        words = cut(text)
        return [tuple(words[k : k + 2]) for k in range(len(words) - 1)] or [tuple(words)] * bool(words)

    held = [set(grams(source)) for source in sources]
    shares = [0.0] * len(sources)
    for gram in grams(summary):
        holders = [place for place, of_source in enumerate(held) if gram in of_source]
        for place in holders:
            shares[place] += 1 / len(holders)
    return [share / sum(shares) for share in shares] if sum(shares) else None


MATCHERS = {"lexical": lexical_shares, "ngram": ngram_shares}


def orders(rows: Sequence[Row], matcher: str) -> dict[str, Any]:
    """Primacy and the gain of each value with p-values over all ways, and thirds by place; texts of a set differ."""
    found: list[tuple[float, list[float]]] = []
    gains: dict[str, list[tuple[float, list[float]]]] = {}
    parts: dict[str, list[float]] = {"first": [], "middle": [], "last": []}
    for inputs in by_original(rows, lambda _, row: row).values():
        summarized = []
        for samples in inputs.values():
            sources, values = samples[0]["sources"], samples[0]["values"]
            every = [MATCHERS[matcher](row["predictions"], sources) for row in samples]
            shares = [own for own in every if own is not None]
            if shares:
                averages = {text: mean(own[k] for own in shares) for k, text in enumerate(sources)}
                summarized.append((sources, dict(zip(sources, values, strict=True)), averages))
        if len({tuple(sources) for sources, _, _ in summarized}) < 2 or len(summarized[0][0]) < 2:
            continue
        k, n = len(summarized), len(summarized[0][0])
        forward = [
            [sum(share * (1 - each.index(text) / (n - 1)) for text, share in own.items()) for each, *_ in summarized]
            for *_, own in summarized
        ]  # fmt: skip

        def primacy(orders: Sequence[int], forward: list[list[float]] = forward, k: int = k) -> float:
            others = (mean(forward[a][c] for c in range(k) if c != b) for a, b in enumerate(orders))
            return mean(forward[a][b] - other for (a, b), other in zip(enumerate(orders), others, strict=True))

        found.append((primacy(range(k)), [primacy(order) for order in permutations(range(k))]))
        for value in sorted(set(summarized[0][1].values())):
            firsts = [of[sources[0]] == value for sources, of, _ in summarized]
            held = [sum(share for text, share in own.items() if of[text] == value) for _, of, own in summarized]

            def gain(order: Sequence[int], firsts: list[bool] = firsts, held: list[float] = held) -> float:
                sides = [[held[a] for a, b in enumerate(order) if firsts[b] is side] for side in (True, False)]
                return mean(sides[0]) - mean(sides[1])

            if len(set(firsts)) > 1:
                gains.setdefault(value, []).append((gain(range(k)), [gain(order) for order in permutations(range(k))]))
        for part, name in enumerate(parts):
            places = [place for place in range(n) if int((place + 0.5) * 3 / n) == part]
            if places:
                taken = mean(sum(shares[sources[place]] for place in places) for sources, _, shares in summarized)
                parts[name].append(taken / (len(places) / n))
    return {
        "score": mean(observed for observed, _ in found),
        "n": len(found),
        "p": _p_value(sum(observed for observed, _ in found), [ways for _, ways in found], abs) if found else math.nan,
        "gains": {value: mean(observed for observed, _ in of_sets) for value, of_sets in gains.items()},
        "p_of_gains": {
            value: _p_value(sum(observed for observed, _ in of_sets), [ways for _, ways in of_sets], abs)
            for value, of_sets in gains.items()
        },
        "parts": {name: mean(ratios) for name, ratios in parts.items()},
    }
