# Made by tools/build_documents.py from the studies.
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_reproductions.contract import Study
from fairsum_reproductions.studied import Studied

def studies() -> Sequence[str]: ...
def find_study(name: str) -> Study: ...
def averages(
    results: Any,
    *,
    metrics: str | tuple[str, ...] | None = ...,
) -> Studied: ...
def breakdown(
    data: Any,
    samples: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    group_by: str | None = ...,
    sources_columns: str | None = ...,
    values_columns: str | None = ...,
    predictions_id_column: str | None = ...,
    text_key: str | None = ...,
    value_key: str | None = ...,
    transcript: bool = ...,
    ratio: str = ...,
    value: str | None = ...,
    count: str = ...,
    n_bins: int = ...,
    cell: str = ...,
    tau: float = ...,
    confidence_level: float = ...,
) -> Studied: ...
def human_ratings(
    ratings: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    combine: str = ...,
    n_levels: int = ...,
    confidence_level: float = ...,
) -> Studied: ...
def measure_correlation(
    samples: Any,
    *,
    tau: float = ...,
    n_points: int | None = ...,
    single_value: str = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def mitigation(
    samples: Any,
    *,
    tau: float = ...,
    baseline: str | None = ...,
    over: str | None = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def oracle(
    data: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    group_by: str | None = ...,
    sources_columns: str | None = ...,
    values_columns: str | None = ...,
    predictions_id_column: str | None = ...,
    text_key: str | None = ...,
    value_key: str | None = ...,
    transcript: bool = ...,
    n_texts: int = ...,
    n_sets: int | None = ...,
    favoured: str | None = ...,
    tau: float = ...,
    n_points: int | None = ...,
    matcher: str | Any = ...,
    model: str | Path | None = ...,
    revision: str | None = ...,
    num_layers: int | None = ...,
    rescale: bool | None = ...,
    temperature: float = ...,
    k: int = ...,
    target: str | Mapping[str, float] = ...,
    unmatched: str | None = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
    reasoning: str = ...,
    unlabelled: str = ...,
    normalizer: str | None = ...,
    language: str = ...,
    device: str | None = ...,
    dtype: str = ...,
    batch_tokens: int | None = ...,
    cache: str | Path | None = ...,
    on_truncate: str = ...,
) -> Studied: ...
def softmax_temperature(
    samples: Any,
    people: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    highest: float = ...,
    n_points: int = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def tolerance(
    samples: Any,
    *,
    n_points: int = ...,
    tau: float = ...,
    confidence_level: float = ...,
) -> Studied: ...
def value_ratios(
    samples: Any,
    *,
    tau: float = ...,
    confidence_level: float = ...,
) -> Studied: ...
def chunk_size(
    rows: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    sizes: str | Sequence[int | str] = ...,
    identified: str = ...,
    threshold: float = ...,
    splitter: str | Any = ...,
    chat_model: str | Path | None = ...,
    chat_url: str | None = ...,
    entailer: str | Path | Any = ...,
    entailment_label: str | None = ...,
    revision: str | None = ...,
    sentence_model: str | Path | None = ...,
    empty: str = ...,
    reasoning: str = ...,
    unlabelled: str = ...,
    normalizer: str | None = ...,
    language: str = ...,
    device: str | None = ...,
    dtype: str = ...,
    batch_tokens: int | None = ...,
    cache: str | Path | None = ...,
    on_truncate: str = ...,
) -> Studied: ...
def dominance(
    samples: Any,
    *,
    alpha: float = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def entailers(
    samples: Any,
    *,
    n_permutations: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def group_level(
    samples: Any,
    baseline_samples: Any,
    judgements: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    n_groups: int = ...,
    group_size: int | None = ...,
    ties: str = ...,
    second_order: str = ...,
    raters: str = ...,
    seed: int | None = ...,
) -> Studied: ...
def human_judgement(
    samples: Any,
    baseline_samples: Any,
    judgements: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    fair: str = ...,
    raters: str = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def overall(
    results: Any,
) -> Studied: ...
def proportional_representation(
    samples: Any,
    *,
    baseline: str = ...,
    n_permutations: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def relative_change(
    samples: Any,
    *,
    baseline: str = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def continuations(
    texts: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    n: int = ...,
    threshold: float = ...,
) -> Studied: ...
def domain_table(
    results: Any,
    *,
    measure: str | None = ...,
    merge: str | Mapping[str, Sequence[str]] | None = ...,
    labels: str | Sequence[str] | None = ...,
    groups: str | Sequence[str] | None = ...,
) -> Studied: ...
def human_labels(
    labels: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    kind: str = ...,
    order: str | Sequence[str] | None = ...,
    n_categories: int | None = ...,
) -> Studied: ...
def label_differences(
    results: Any,
    *,
    first: str | None = ...,
    second: str | None = ...,
    alpha: float = ...,
    measure: str | None = ...,
    merge: str | Mapping[str, Sequence[str]] | None = ...,
    labels: str | Sequence[str] | None = ...,
) -> Studied: ...
def label_shares(
    results: Any,
    *,
    measure: str | None = ...,
    merge: str | Mapping[str, Sequence[str]] | None = ...,
    labels: str | Sequence[str] | None = ...,
    groups: str | Sequence[str] | None = ...,
) -> Studied: ...
def professions(
    texts: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    merge: bool = ...,
    mask: bool = ...,
) -> Studied: ...
def annotation_candidates(
    articles: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    word_lists: str | Mapping[str, Sequence[str]] = ...,
    n: int | None = ...,
    seed: int | None = ...,
) -> Studied: ...
def bias_table(
    results: Any,
    *,
    lost: str = ...,
) -> Studied: ...
def diagnosis(
    texts: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    word_lists: str | Mapping[str, Sequence[str]] = ...,
    top: int = ...,
    seed: int | None = ...,
) -> Studied: ...
def hallucinated_names(
    samples: Any,
    *,
    first_names: Mapping[str, str] | None = ...,
    people: str | Path | Mapping[str, str | None] | None = ...,
    shown: int = ...,
) -> Studied: ...
def induced_bias(
    plain: Any,
    induced: Any,
    *,
    group: str = ...,
) -> Studied: ...
def ranked_articles(
    samples: Any,
    *,
    phrases: str | Sequence[str] = ...,
    shown: int = ...,
) -> Studied: ...
def relevance(
    summaries: Any,
    *,
    columns: Mapping[str, str] | None = ...,
    chat_model: str | Path | None = ...,
    chat_url: str | None = ...,
    confidence_level: float = ...,
    n_resamples: int = ...,
    seed: int | None = ...,
    device: str | None = ...,
    dtype: str = ...,
    cache: str | Path | None = ...,
) -> Studied: ...
def summary_statistics(
    results: Any,
) -> Studied: ...
