"""Reading and writing of files, and checked downloads."""
