"""Other tools: experiment trackers, the Hugging Face Hub, evaluation stacks; a file for each."""
