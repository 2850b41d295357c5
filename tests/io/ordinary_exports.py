"""Ordinary exports of other tools, each as its program writes it."""

import json
from typing import Any

import datasets

from tests.io.ordinary_tables import LONG, SAMPLES, Ordinary, by_csv, lines

SOURCES = lines([{"id": row["id"], "sources": row["sources"], "values": row["values"]} for row in SAMPLES])
REVIEWS = [{"number": str(n), "place": row[0], "text": row[1], "label": row[2]} for n, row in enumerate(LONG)]
TEXTS = [{name: row[name] for name in ("id", "sources", "values")} for row in SAMPLES]


def summaries(column: str = "id") -> tuple[str, str]:
    """Return a table of predictions."""
    return "summaries.csv", by_csv([(row["id"], row["prediction"]) for row in SAMPLES], (column, "prediction"))


def batch(path: str, column: str, make: Any) -> Ordinary:
    """Return samples whose predictions are in the answers of a provider, at a path."""
    answers = lines([{column: row["id"], **make(row["prediction"])} for row in SAMPLES])
    options = {"predictions": path, "predictions_id_column": column}
    return Ordinary("a.jsonl", SOURCES, options, apart=("answers.jsonl", answers))


def annotations(
    name: str, make: Any, sources: str, values: str, place: str = "place", *, inside: Any = None, column: str = "id"
) -> Ordinary:
    """Return annotated reviews, as lines or in an array, or inside something else."""
    rows = [make(row) for row in REVIEWS]
    content = lines(rows) if name.endswith(".jsonl") else json.dumps(inside(rows) if inside else rows)
    options = {"group_by": place, "sources": sources, "values": values}
    return Ordinary(name, content, options, apart=summaries(column))


def of_openai(text: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    body = {"id": "chatcmpl-1", "choices": [choice]}
    return {"id": "batch_req_1", "error": None, "response": {"status_code": 200, "body": body}}


def of_anthropic(text: str) -> dict[str, Any]:
    message = {"id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": text}]}
    return {"result": {"type": "succeeded", "message": message}}


def of_gemini(text: str) -> dict[str, Any]:
    return {"response": {"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}}]}}


def of_bedrock(text: str) -> dict[str, Any]:
    return {"modelInput": {"max_tokens": 99}, "modelOutput": {"content": [{"type": "text", "text": text}]}}


def of_lm_eval(number: int, row: dict[str, Any]) -> dict[str, Any]:
    answer = {"resps": [[row["prediction"]]], "filtered_resps": [row["prediction"]], "filter": "none"}
    return {"doc_id": number, "doc": TEXTS[number], "target": "", "arguments": {"gen_args_0": {}}, **answer}


def of_inspect(row: dict[str, Any]) -> dict[str, Any]:
    output = {"model": "m", "choices": [], "completion": row["prediction"]}
    metadata = {"sources": row["sources"], "values": row["values"]}
    return {"id": row["id"], "epoch": 1, "input": "Summarize.", "metadata": metadata, "output": output}


def of_promptfoo(row: dict[str, Any]) -> dict[str, Any]:
    variables = {"sources": row["sources"], "values": row["values"]}
    return {"id": row["id"], "vars": variables, "response": {"output": row["prediction"]}, "success": True}


def of_label_studio(row: dict[str, Any]) -> dict[str, Any]:
    chosen = {"value": {"choices": [row["label"]]}, "from_name": "label", "to_name": "text", "type": "choices"}
    data = {"place": row["place"], "text": row["text"]}
    return {"id": row["number"], "data": data, "annotations": [{"id": 1, "result": [chosen]}]}


def of_argilla(row: dict[str, Any]) -> dict[str, Any]:
    responses = {"label": [{"value": row["label"], "user_id": "u"}]}
    return {"fields": {"text": row["text"]}, "metadata": {"place": row["place"]}, "responses": responses}


def of_youtube(row: dict[str, Any]) -> dict[str, Any]:
    snippet = {"videoId": row["place"], "textOriginal": row["text"], "viewerRating": row["label"]}
    return {"kind": "youtube#comment", "id": row["number"], "snippet": snippet}


LOG = {
    "version": 2,
    "status": "success",
    "eval": {"task": "reviews"},
    "plan": {"name": "plan", "steps": [{"solver": "generate"}]},
    "results": {"total_samples": 2, "scores": []},
    "stats": {},
    "samples": list(map(of_inspect, SAMPLES)),
    "reductions": [{"scorer": "bur", "samples": []}],
}
PROMPTFOO = {
    "version": 3,
    "timestamp": "2026-11-03",
    "prompts": [{"raw": "Summarize."}],
    "results": list(map(of_promptfoo, SAMPLES)),
    "stats": {"successes": 2},
}
COLUMNS = {"columns": [*SAMPLES[0]], "data": [[*row.values()] for row in SAMPLES]}
STUDIO = [(row["number"], row["place"], row["text"], row["label"], "1", "2026-11-03T09:14:55Z") for row in REVIEWS]

EXPORTS = {
    "batch of OpenAI": batch("response.body.choices.0.message.content", "custom_id", of_openai),
    "batch of Anthropic": batch("result.message.content.0.text", "custom_id", of_anthropic),
    "batch of Gemini": batch("response.candidates.0.content.parts.0.text", "key", of_gemini),
    "batch of Bedrock": batch("modelOutput.content.0.text", "recordId", of_bedrock),
    "predictions in a table of their own": Ordinary("a.jsonl", SOURCES, apart=summaries()),
    "table of MLflow": Ordinary("eval_results_table.json", json.dumps(COLUMNS)),
    "table of Weights & Biases": Ordinary(
        "a.table.json", json.dumps({"_type": "table", "column_types": {}, **COLUMNS, "ncols": 4, "nrows": 2})
    ),
    "samples of lm-eval": Ordinary(
        "samples_task.jsonl",
        lines([of_lm_eval(number, row) for number, row in enumerate(SAMPLES)]),
        {"id_column": "doc.id", "predictions": "filtered_resps.0", "sources": "doc.sources", "values": "doc.values"},
    ),
    "log of inspect": Ordinary(
        "2026-11-03_log.json",
        json.dumps(LOG),
        {"predictions": "output.completion", "sources": "metadata.sources", "values": "metadata.values"},
    ),
    "results of promptfoo": Ordinary(
        "a.json",
        json.dumps({"evalId": "eval-1", "results": PROMPTFOO, "config": {}, "shareableUrl": None}),
        {"predictions": "response.output", "sources": "vars.sources", "values": "vars.values"},
    ),
    "annotations of Label Studio": annotations(
        "a.json", of_label_studio, "data.text", "annotations.0.result.0.value.choices.0", "data.place"
    ),
    "annotations of Label Studio, CSV": Ordinary(
        "a.csv",
        by_csv(STUDIO, ("id", "place", "text", "sentiment", "annotator", "created_at")),
        {"group_by": "place", "sources": "text", "values": "sentiment"},
        apart=summaries("place"),
    ),
    "annotations of Prodigy": annotations(
        "a.jsonl",
        lambda row: {
            "text": row["text"],
            "meta": {"place": row["place"]},
            "accept": [row["label"]],
            "answer": "accept",
        },
        "text",
        "accept.0",
        "meta.place",
    ),
    "records of Argilla": annotations("a.json", of_argilla, "fields.text", "responses.label.0.value", "metadata.place"),
    "data set of Argilla": Ordinary(
        "a.parquet",
        lambda path: datasets.Dataset.from_list(
            [{"text": row["text"], "place": row["place"], "label.responses": [row["label"]]} for row in REVIEWS]
        ).to_parquet(path),
        {"group_by": "place", "sources": "text", "values": "label.responses.0"},
        apart=summaries(),
    ),
    "annotations of doccano": annotations(
        "a.jsonl", lambda row: {"data": row["text"], "place": row["place"], "label": [row["label"]]}, "data", "label.0"
    ),
    "documents of MongoDB": Ordinary(
        "a.jsonl",
        lines([{**row, "id": None, "_id": {"$oid": row["id"]}} for row in SAMPLES]),
        {"id_column": "_id.$oid"},
    ),
    "documents of Elasticsearch": annotations(
        "a.jsonl",
        lambda row: {"_index": "reviews", "_id": row["number"], "_source": row},
        "_source.text",
        "_source.label",
        "_source.place",
    ),
    "reviews of Yelp": annotations(
        "a.jsonl",
        lambda row: {
            "review_id": row["number"],
            "business_id": row["place"],
            "stars": row["label"],
            "text": row["text"],
        },
        "text",
        "stars",
        "business_id",
        column="business_id",
    ),
    "posts of the API of X": annotations(
        "a.json",
        lambda row: {"id": row["number"], "conversation_id": row["place"], "text": row["text"], "author": row["label"]},
        "text",
        "author",
        "conversation_id",
        inside=lambda rows: {"data": rows, "includes": {"users": [{"id": "1"}]}, "meta": {"result_count": 4}},
        column="conversation_id",
    ),
    "comments of YouTube": annotations(
        "a.json",
        of_youtube,
        "snippet.textOriginal",
        "snippet.viewerRating",
        "snippet.videoId",
        inside=lambda rows: {"kind": "youtube#commentListResponse", "etag": "x", "items": rows},
        column="snippet.videoId",
    ),
}
