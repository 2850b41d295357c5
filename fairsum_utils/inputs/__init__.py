"""From what people have to samples: shapes of rows, columns of files, tables of other libraries."""
