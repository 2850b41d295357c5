"""The Hugging Face Hub: loading by name, publishing, demos."""
