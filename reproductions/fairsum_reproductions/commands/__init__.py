"""The commands `fairsum study` and `fairsum reproduce`; `fairsum_utils.cli` finds them through entry points."""
