"""Speed and memory of the news measures at the paper's size, against plain loops.

    python benchmarks/bench_entities.py [--output results.json]

The data is made up: 683 originals of about 500 words with two to eight persons, 20 inputs each (first names and
pronouns vary with the groups of the persons), and one summary of about 50 words an input and system, with the names of
the persons in it. Nothing is read from disk and no model runs; dense vectors are random.

Baselines: of the intervals, a loop that draws originals (d) or inputs within each original (s) and counts the rows of a
replicate again; of distinguishability, a loop over pairs of summaries of an original. Loops are checked to give the
same numbers on the same draws and vectors. Seconds are the processor's.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from harness import finish, make_parser, peak_megabytes, timed

from fairsum_utils.families.entities import FAMILY
from fairsum_utils.families.entities.results import ENGINE
from fairsum_utils.families.entities.rows import EntityRow, EntityTable, count_vector, stack_counts
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.entities.tally import Tally
from fairsum_utils.measures import get_measure, measures_of
from fairsum_utils.measures._agreed import agreed
from fairsum_utils.measures.distinguishability import summary_credits
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.bootstrap import bootstrap_sums, cluster_sums, resample_within
from fairsum_utils.stats.sums import Column

METRICS = measures_of("entities")
SETTINGS = agreed([get_measure(name)(confidence_level=0.95, module="bench") for name in METRICS])
# Seconds of the processor, and what a call returns.
in_seconds = partial(timed, clock=time.process_time)

GROUPS = ("female", "male")
FIRST = {
    "female": ("Mary", "Patricia", "Linda", "Barbara", "Susan", "Karen", "Nancy", "Donna", "Carol", "Ruth"),
    "male": ("James", "John", "Robert", "Michael", "William", "David", "Richard", "Charles", "Joseph", "Thomas"),
}
PRONOUNS = {"female": ("She", "her"), "male": ("He", "his")}
STRANGERS = ("Boris Yeltsin", "Helmut Kohl", "Pat Nixon", "Greene", "George Bush", "Daniel Ortega")
COMMON = ("the", "of", "to", "and", "in", "a", "that", "for", "on", "was", "by", "with", "at", "from", "said", "will")
# Inputs an original.
INPUTS = 20

DIMENSIONS = 384
RESAMPLES = 1000


def resample_clusters(columns: Any, clusters: Any, **options: Any) -> Any:
    """Draw clusters, each with all its samples."""
    return bootstrap_sums(cluster_sums(columns, clusters), **options)


LEVELS = {"d": resample_clusters, "s": resample_within}


# The data


def make_articles(n: int, seed: int = 0) -> list[dict[str, Any]]:
    """Make originals: persons by last name, and sentences with slots."""
    generator = random.Random(seed)
    vocabulary = ["".join(generator.choices("bcdfglmnprst", k=generator.randint(4, 9))) for _ in range(20_000)]
    weights = [1 / (rank + 10) for rank in range(len(vocabulary))]
    articles = []
    for _ in range(n):
        last = ["".join(generator.choices("aeioklmnrt", k=7)).title() for _ in range(generator.randint(2, 8))]
        content = iter(generator.choices(vocabulary, weights, k=400))
        sentences: list[tuple[int | None, list[str]]] = []
        for place in range(22):
            words = [
                generator.choice(COMMON) if spot % 2 else next(content) for spot in range(generator.randint(14, 30))
            ]
            person = generator.randrange(len(last)) if place % 2 == 0 else None
            sentences.append((person, words))
        articles.append({"last": last, "sentences": sentences})
    return articles


def make_inputs(articles: Sequence[dict[str, Any]], seed: int = 0) -> dict[str, list[Any]]:
    """Make the input columns: one group per text, in turn."""
    generator = random.Random(seed)
    columns: dict[str, list[Any]] = {name: [] for name in ("sources", "entities", "article_ids", "groups", "sentences")}
    for number, article in enumerate(articles):
        for place in range(INPUTS):
            text_group = GROUPS[place % 2]
            persons = [(generator.choice(FIRST[text_group]), last, text_group) for last in article["last"]]
            sentences = []
            for person, words in article["sentences"]:
                if person is None:
                    sentences.append((None, f"{' '.join(words).capitalize()}."))
                else:
                    first, last, group = persons[person]
                    subject, possessive = PRONOUNS[group]
                    middle = len(words) // 2
                    text = f"{first} {last} {' '.join(words[:middle])} {possessive} {' '.join(words[middle:])}."
                    sentences.append((f"{first} {last}", f"{text} {subject} {words[0]} {words[-1]}."))
            columns["sources"].append(" ".join(text for _, text in sentences))
            columns["entities"].append(
                [{"first_name": first, "last_name": last, "group": group} for first, last, group in persons]
            )
            columns["article_ids"].append(f"article-{number}")
            columns["groups"].append(text_group)
            columns["sentences"].append(sentences)
    return columns


def summarize(columns: dict[str, list[Any]], system: int) -> dict[str, list[Any]]:
    """Make a system's columns: two sentences of each input, sometimes with a stranger."""
    generator = random.Random(system + 1)
    predictions, mentions = [], []
    for sentences in columns["sentences"]:
        chosen = generator.sample(sentences, 2)
        named = [name for name, _ in chosen if name is not None]
        texts = [text for _, text in chosen]
        if generator.random() < 0.1:
            named.append(generator.choice(STRANGERS))
            texts.append(f"{named[-1]} was there.")
        predictions.append(" ".join(texts))
        mentions.append(named)
    inputs = {name: columns[name] for name in ("sources", "entities", "article_ids", "groups")}
    return {"predictions": predictions, "mentions": mentions, **inputs}


# The baselines


def plain_counts(row: EntityRow, name: str) -> list[dict[str, int]]:
    """Count a row for a measure, by group."""
    counts: list[dict[str, int]] = [{}, {}]
    if name == "word_list_inclusion":
        return [dict(row.summary_words or {}), dict(row.source_words or {})]
    if name == "entity_inclusion":
        for group, included in row.entities or ():
            counts[0][group] = counts[0].get(group, 0) + included
            counts[1][group] = counts[1].get(group, 0) + 1
    else:
        for _, known in row.hallucinated or ():
            if known is not None:
                counts[0][known] = counts[0].get(known, 0) + 1
    return counts


def score_of(name: str, first: Sequence[int], second: Sequence[int]) -> float:
    """Compute the score from both groups' two counts."""
    try:
        if name == "entity_inclusion":
            odds = [inside / (n - inside) for inside, n in zip(first, second, strict=True)]
            return max(odds[0] / odds[1], odds[1] / odds[0]) - 1
        reference = [0.5, 0.5] if name == "entity_hallucination" else [n / sum(second) for n in second]
        return sum(abs(n / sum(first) - share) for n, share in zip(first, reference, strict=True)) / 2
    except ZeroDivisionError:
        return math.nan


def plain_score(rows: Sequence[EntityRow], name: str) -> float:
    """Compute the score of a data set row by row."""
    totals = [dict.fromkeys(GROUPS, 0), dict.fromkeys(GROUPS, 0)]
    for row in rows:
        for total, counted in zip(totals, plain_counts(row, name), strict=True):
            for group, count in counted.items():
                total[group] += count
    return score_of(name, *([total[group] for group in GROUPS] for total in totals))


def loop_replicates(articles: Sequence[Sequence[Any]], level: str, n: int, score: Callable[[Any], float]) -> None:
    """Score resampled data sets, drawn one by one."""
    generator = random.Random(0)
    for _ in range(n):
        drawn: list[Any] = []
        for own in articles:
            drawn += generator.choice(articles) if level == "d" else generator.choices(own, k=len(own))
        score(drawn)


def plain_credits(vectors: Sequence[Any], groups: Sequence[int], cosine: Callable[[Any, Any], float]) -> list[float]:
    """Compute the credits of one original's summaries, pair by pair."""
    credits = []
    for i, own in enumerate(vectors):
        sums, counts = [0.0, 0.0], [0, 0]
        for j, other in enumerate(vectors):
            if i != j:
                is_other = groups[i] != groups[j]
                sums[is_other] += cosine(own, other)
                counts[is_other] += 1
        u, u_other = (total / count for total, count in zip(sums, counts, strict=True))
        tied = abs(u - u_other) <= max(1e-9 * max(abs(u), abs(u_other)), 1e-12)
        credits.append(0.5 if tied else float(u > u_other))
    return credits


def dense_cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / math.sqrt((a @ a) * (b @ b)))


def count_cosine(a: dict[str, int], b: dict[str, int]) -> float:
    product = sum(count * b[word] for word, count in a.items() if word in b)
    return product / math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))


# The comparisons


def score_rows(
    metrics: Sequence[str], columns: dict[str, list[Any]], scorer: EntityScorer | None = None
) -> list[EntityRow]:
    scorer = scorer or EntityScorer(metrics, SETTINGS)
    used = {column.name for name in scorer.measures for column in FAMILY.columns_of(name)}
    return list(scorer.rows(scorer.read({name: columns[name] for name in columns if name in used})))


def aggregate_rows(rows: Sequence[EntityRow], metrics: Sequence[str]) -> None:
    sums = ENGINE.sums_of(EntityTable(rows), metrics, SETTINGS)
    for name in metrics:
        ENGINE.scores[name](sums, SETTINGS).result({})


def counted_by_sample(rows: Sequence[EntityRow], name: str) -> tuple[Tally, Floats, Integers]:
    """Return a measure's sums, its counts by sample, and each sample's original."""
    originals = Originals(EntityTable(rows), SETTINGS)
    sums = originals.sums()
    columns = ENGINE.tallies[name].put(sums, originals)
    tally = ENGINE.tallies[name](sums, SETTINGS)
    nothing = Column(np.zeros(0, dtype=np.int64), np.zeros(0))
    return tally, originals.laid_out([columns.get(key, nothing) for key in tally.keys]), originals.clusters


def compare_bootstrap(rows: Sequence[EntityRow], name: str, level: str, n_plain: int) -> dict[str, Any]:
    """Time replicates, and compare scores with the loop on part of the data."""
    by_article: dict[str, list[EntityRow]] = {}
    for row in rows:
        by_article.setdefault(row.article, []).append(row)
    articles = list(by_article.values())
    plain, _ = in_seconds(lambda: loop_replicates(articles, level, n_plain, lambda drawn: plain_score(drawn, name)))
    tally, columns, clusters = counted_by_sample(rows, name)
    ours, _ = in_seconds(lambda: tally.statistics(LEVELS[level](columns, clusters, n_resamples=RESAMPLES, seed=0)))
    few = sorted(rows, key=lambda row: (row.article, row.index))[: 10 * INPUTS]
    part, columns, clusters = counted_by_sample(few, name)
    drawn = part.statistics(LEVELS[level](columns, clusters, n_resamples=20, seed=0))["score"]
    # Number of times that each row of the table was drawn.
    weights = LEVELS[level](np.eye(len(few)), clusters, n_resamples=20, seed=0).astype(int)
    in_order = sorted(few, key=lambda row: row.index)
    expected = [
        plain_score([row for row, n in zip(in_order, of_draw, strict=True) for _ in range(n)], name)
        for of_draw in weights.tolist()
    ]
    np.testing.assert_array_equal(np.isnan(drawn), np.isnan(expected))
    return {
        "plain_ms": 1000 * plain / n_plain,
        "library_ms": 1000 * ours / RESAMPLES,
        "ratio": plain / n_plain / (ours / RESAMPLES),
        "largest_difference": float(np.nanmax(np.abs(drawn - expected))),
    }


def compare_credits(columns: dict[str, list[Any]], kind: str, n_plain: int) -> dict[str, Any]:
    """Time classification, and compare with the loop on its summaries."""
    _, articles = np.unique(columns["article_ids"], return_inverse=True)
    groups = np.array([GROUPS.index(group) for group in columns["groups"]])
    if kind == "dense":
        vectors: Any = np.random.default_rng(0).normal(size=(len(groups), DIMENSIONS)).astype(np.float32)
        matrix, cosine = vectors, dense_cosine
    else:
        vectors, cosine = [count_vector(text) for text in columns["predictions"]], count_cosine
        matrix = stack_counts(vectors)
    ours, found = in_seconds(lambda: summary_credits(matrix, groups, articles).credits)
    places = [np.flatnonzero(articles == article).tolist() for article in range(min(n_plain, articles.max() + 1))]
    as_given = vectors.astype(np.float64) if kind == "dense" else vectors
    plain, expected = in_seconds(
        lambda: [plain_credits([as_given[place] for place in own], groups[own].tolist(), cosine) for own in places]
    )
    per_summary = plain / sum(map(len, places))
    return {
        "plain_us": 1e6 * per_summary,
        "library_us": 1e6 * ours / len(groups),
        "library_seconds": ours,
        "ratio": per_summary / (ours / len(groups)),
        "same": all(found[own].tolist() == credits for own, credits in zip(places, expected, strict=True)),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--articles", type=int, nargs="+", default=[171, 683], help="originals, smallest first")
    parser.add_argument("--systems", type=int, default=7)
    parser.add_argument("--plain", type=int, default=5, help="replicates, and originals, that the loops work through")
    chosen = parser.parse_args(arguments)
    sizes = []
    for n_articles in chosen.articles:
        columns = make_inputs(make_articles(n_articles))
        systems = [summarize(columns, system) for system in range(chosen.systems)]
        scorer = EntityScorer(METRICS, SETTINGS)
        start = time.process_time()
        every = [score_rows(METRICS, system, scorer) for system in systems]
        scored = time.process_time()
        for rows in every:
            aggregate_rows(rows, METRICS)
        results = time.process_time() - scored
        sizes.append({"inputs": len(columns["groups"]), "score_seconds": scored - start, "aggregate_seconds": results})
    one, counted = systems[0], METRICS[:3]
    rows = score_rows(counted, one)
    report = {
        "systems": chosen.systems,
        "sizes": sizes,
        "bootstrap": [
            {"name": name, "level": level, **compare_bootstrap(rows, name, level, chosen.plain)}
            for name in counted
            for level in LEVELS
        ],
        "distinguishability": {kind: compare_credits(one, kind, 4 * chosen.plain) for kind in ("dense", "count")},
        "peak_mb": peak_megabytes(),
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
