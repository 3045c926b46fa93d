"""A markdown document as its readers' browsers see it: headings, links, images and tables."""

import re
from pathlib import Path

DOCUMENTS = sorted(
    [
        *Path("docs").rglob("*.md"),
        *Path("examples").rglob("*.md"),
        *Path(".").glob("*.md"),
        *Path(".github").glob("*.md"),
        *Path("skills").rglob("*.md"),
        Path("llms.txt"),
        Path("requirements/README.md"),
        Path("tools/verify/README.md"),
    ]
)

_FENCED = re.compile(r"^ *(```+).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*(?:\[[^\]]*\][^\]]*)?\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
_TAG = re.compile(r"<img\b[^>]*>")
_CELL = re.compile(r"(?<!\\)\|")


def prose(document: Path) -> str:
    """Return the text without its blocks of code."""
    return _FENCED.sub("", document.read_text())


def code(document: Path) -> str:
    """Return the blocks of code alone."""
    return "\n".join(block[0] for block in _FENCED.finditer(document.read_text()))


def links(document: Path) -> list[str]:
    """Return the targets of all links."""
    return [one or other for one, other in _LINK.findall(prose(document))]


def images(document: Path) -> list[tuple[str, str]]:
    """Return the alternative text and the target of each image, however it is written."""
    found = _IMAGE.findall(prose(document))
    for tag in _TAG.findall(prose(document)):
        said = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        found.append((said.get("alt", ""), said["src"]))
    # A picture of another theme has the alternative text of the image beside it.
    found += [
        ("the picture of another theme", target)
        for target in re.findall(r'<source [^>]*srcset="([^"]+)"', prose(document))
    ]
    return found


def anchors(document: Path) -> set[str]:
    """Return what a link may name behind its #: the headings in small letters, a dash for a space, no punctuation."""
    seen: dict[str, int] = {}
    named = set(re.findall(r'<a (?:id|name)="([^"]+)"', prose(document)))
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", prose(document), re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        named.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
        seen[slug] = seen.get(slug, 0) + 1
    return named


def rows(document: Path, heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, without the table's own."""
    below = document.read_text().split(f"\n{heading}\n", 1)[1]
    table = below.split("\n|", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in _CELL.split(line)[1:-1]] for line in f"|{table}".splitlines()[2:]]


def listed(document: Path, heading: str) -> list[str]:
    """Return the names in the first column of that table, without their quotes; a cell may hold several."""
    return [name for row in rows(document, heading) for name in re.findall(r"`([^`]+)`", row[0])]
