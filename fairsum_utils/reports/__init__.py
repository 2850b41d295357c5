"""Results for people: tables, drawings and pages. Only here are numbers rounded.

`formats` writes tables; `charts` turns results into charts, `panels` has their kinds, `figures` makes figures of
matplotlib, `theme` has the colors; `page/` is the HTML report; one file per family has its sentences and evidence.
"""
