"""The analyses of Fair Abstractive Summarization of Diverse Perspectives."""
