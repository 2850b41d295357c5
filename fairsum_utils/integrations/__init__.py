"""The Hugging Face Hub and evaluation frameworks."""
