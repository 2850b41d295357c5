"""One file a tracker, found by its name.

Each has ``PACKAGES``, any of which it can use, by the name of their import; ``prepare``, which is called before any of
them is imported; ``active``, the run that is active in this process, or None; and ``log``, which hands contents to that
run or to one of its own, and says where it is. Its extra in ``setup.py`` has its name, too.
"""
