"""What is put into a page is text, and no character of it does anything."""

import pytest

from skipscan.report.card import Child, Markup, text


@pytest.mark.parametrize(
    ("value", "escaped"),
    [
        ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#x27;"),
        ("a\x00\ud800\ufffeb", "a\ufffd\ufffd\ufffdb"),
        ("a\x85\u202eb\u2066\u200f\u061c\ufeff", "a\ufffd\ufffdb" + 4 * "\ufffd"),
        ("\xad\u180e\u3164\uffa0\ufff9\U000e0041", 6 * "\ufffd"),
        *(
            (name, name)
            for name in (
                "\u06af\u0644\u200c\u0647",
                "\U0001f469\u200d\U0001f4bb",
                "\u2764\ufe0f",
                "\u845b\U000e0100",
                "\u05e9\u05dd",
            )
        ),
        ("two\nlines\t", "two\nlines\t"),
        (Markup("<b>"), "<b>"),
        (None, ""),
        (1.5, "1.5"),
        (2.0, "2"),
        (0.126, "0.13"),
        (100, "100"),
    ],
)
def test_a_value_is_text_unless_it_is_markup(value: Child, escaped: str) -> None:
    assert text(value) == escaped
