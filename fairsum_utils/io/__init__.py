"""Every file that is read or written: rows of all formats, replaced as a whole; downloads with checksums."""
