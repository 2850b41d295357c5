"""The demo: what it prints, and the files that it saves."""


def test_demo_prints_scores_and_comparison_and_saves_files(fairsum, tmp_path):
    status, printed, _ = fairsum("demo", "--save", tmp_path / "demo")
    assert status == 0
    assert "System A: 8 samples scored, 0 skipped" in printed
    assert "8 samples compared" in printed
    assert printed.count("Only 8 samples were scored; treat the scores as unreliable.") == 1
    assert "norm:fairsumm" not in printed
    status, again, _ = fairsum("score", tmp_path / "demo" / "system_b.jsonl")
    assert status == 0
    system_b = printed[printed.index("System B: 8") : printed.index("2 systems")].strip().splitlines()[1:]
    assert again.strip().splitlines()[1 : len(system_b) + 1] == system_b


def test_the_demo_gives_each_reason_once_and_no_notes_if_quiet(fairsum):
    head, _, few = fairsum("demo")[1].partition("\nNotes:\n")
    assert few.splitlines()[3:] == ["- (1 more note: --verbose)"]
    notes = fairsum("demo", "--verbose")[1].partition("\nNotes:\n")[2]
    lines = [line for line in notes.splitlines() if "it takes at least 200 samples" in line]
    assert [line.partition(": it takes")[0] for line in lines] == [
        "- SOF has no interval",
        "- SOF: the difference has no interval and no p-value",
    ]
    assert fairsum("demo", "--quiet") == (0, f"{head.rstrip()}\n", "")
