from __future__ import annotations

import re

from fairsum_utils.reports.page.document import page_style, sample_style, script
from fairsum_utils.reports.theme import DARK, LIGHT


def test_nothing_is_fetched():
    for text in (page_style({"v1"}), script()):
        assert not re.search(r"@import|url\(|https?:(?!//www\.w3\.org/2000/svg)|fetch\(|XMLHttp|import\(", text)


def test_no_piece_ends_its_element():
    for text in (page_style({"v1"}), script()):
        assert "</" not in text.replace(r"<\/", "")
        assert "<!--" not in text


def test_the_reader_chooses_the_theme_and_paper_is_light():
    style = page_style({"v1"})
    assert style.startswith(f":root{{--fairsum-surface:{LIGHT['surface']};")
    dark = f"--fairsum-surface:{DARK['surface']};"
    assert style.count(dark) == 2
    for place in re.finditer(re.escape(dark), style):
        assert "@media screen" in style[: place.start()][-140:]


def test_the_style_of_a_sample_touches_nothing_else():
    plain = re.sub(r"@(media|container)[^{]*", "", sample_style({"v1"}))
    selectors = [part for rule in re.findall(r"([^{}]+)\{", plain) for part in rule.split(",")]
    assert all(re.search(r"\.fs-|\.fairsum-results", selector) for selector in selectors if selector.strip())


def test_each_set_of_a_few_values_has_a_class_of_its_own():
    assert re.findall(r"(?<=[}\n])\.(fs-v\d[^{]*)\{", sample_style({"v1", "v2"})) == ["fs-v1", "fs-v2", "fs-v1-v2"]
    many = re.findall(r"(?<=[}\n])\.(fs-(?:v|shared)[^{]*)\{", sample_style({"v1", "v2", "v3", "v4", "v5"}))
    assert many == ["fs-v1", "fs-v2", "fs-v3", "fs-v4", "fs-v5", "fs-shared"]


def test_the_script_has_no_comments_and_loses_nothing_else():
    assert "//" not in re.sub(r"http://", "", script())
    assert script().startswith('"use strict";\n(() => {\n')
    assert script().endswith("})();\n")
