"""`fairsum analyse`: questions beyond the measures, about corpora, labels, summaries and tokens."""

from fairsum_utils.cli.app import Group

analyse = Group(
    "analyse",
    {
        "relevance": "let a chat model rate summaries, and compare groups",
    },
    "Ask what no score says: of ratings.",
)
