"""`fairsum analyse`: questions beyond the measures, about corpora, labels, summaries and tokens."""

from fairsum_utils.cli.app import Group

analyse = Group(
    "analyse",
    {
        "diagnose": "which groups a corpus mentions, where and beside what",
        "relevance": "let a chat model rate summaries, and compare groups",
    },
    "Ask what no score says: of a corpus, of ratings.",
)
