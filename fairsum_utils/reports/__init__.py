"""Results for people: tables, drawings and pages. Only here are numbers rounded.

`formats` writes tables; `figures` turns results into panels, `panels` has their kinds, `svg` the shapes, `theme` the
colors; `page/` is the HTML report; one file for each family says what is special about it.
"""
