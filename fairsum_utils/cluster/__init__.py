"""Scoring in pieces: a file is cut into shards, which any number of processes and machines score in any order.

A run is a folder: what it is a run of (`manifest`), the shards' rows and states, and what failed. Each file of it
appears when it is whole, so that a run that was killed goes on where it stood. What scores a shard is in `shards`;
`callers` says who may call it; `running` puts a run together, and `merging` what it made.
"""
