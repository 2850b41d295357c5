"""What lives on the Hub: loading by name, publishing, demos."""
