"""Every link within the project has a target, with the heading that it names, and every picture has a description."""

import re
from pathlib import Path

import pytest

from skipscan import errors
from skipscan.environment import KINDS
from skipscan.loop.finish import refused
from tests.house.docs.document import DOCUMENTS, anchors, images, links, prose

PAGES = sorted(Path("docs").glob("*.md"))
ERRORS: list[type[errors.SkipscanError]] = [errors.SkipscanError, *errors.SkipscanError.__subclasses__()]
IN_MESSAGES = {*(error.page for error in ERRORS), *(kind.page for kind in KINDS.values())}


def within(document: Path, target: str) -> tuple[Path, str] | None:
    """Return the file and the anchor that a link names, or `None` for one that leaves the project."""
    if ":" in target.split("/", maxsplit=1)[0]:
        return None
    name, _, anchor = target.partition("#")
    return (document.parent / name if name else document), anchor


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in links(document):
        place = within(document, target)
        if place:
            path, anchor = place
            assert path.exists(), target
            assert not anchor or anchor in anchors(path), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_by_name_has_its_address(document: Path) -> None:
    text = prose(document)
    used = set(re.findall(r"\]\[([\w-]+)\]", text))
    assert used == set(re.findall(r"^\[([\w-]+)\]: https://", text, re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_picture_exists_and_has_a_description(document: Path) -> None:
    for text, target in images(document):
        assert len(text.split()) > 3, f"{target}: say what it shows"
        assert (document.parent / target).exists(), target


def test_every_picture_is_shown_somewhere() -> None:
    shown = {(document.parent / target).resolve() for document in DOCUMENTS for _, target in images(document)}
    assert {path.resolve() for path in Path("docs/images").iterdir()} <= shown


def test_the_door_leads_to_every_page() -> None:
    door = Path("docs/README.md")
    named = {target.partition("#")[0] for target in links(door)}
    assert [page.name for page in PAGES if page != door and page.name not in named] == []


def test_the_page_of_permissions_names_every_policy() -> None:
    named = {Path(target).name for target in links(Path("docs/permissions.md")) if target.startswith("policies/")}
    assert {path.name for path in Path("docs/policies").iterdir()} == named


def test_every_page_names_its_shelf() -> None:
    shelves: dict[str, str] = {}
    for section in Path("docs/README.md").read_text().split("\n## ")[1:]:
        for target in re.findall(r"\]\(([\w-]+\.md)", section):
            shelves.setdefault(target, section.splitlines()[0])
    for name, shelf in shelves.items():
        assert Path("docs", name).read_text().splitlines()[2] == f"[Documentation](README.md) · {shelf}", name


@pytest.mark.parametrize("named", sorted(IN_MESSAGES))
def test_every_page_in_a_message_exists(named: str) -> None:
    page, _, anchor = named.partition("#")
    path = Path("docs") / page
    assert path.is_file()
    assert not anchor or anchor in anchors(path)


@pytest.mark.parametrize("noun", KINDS)
def test_a_refusal_names_the_page_of_its_input(noun: str) -> None:
    said = refused(KINDS[noun], errors.InputError("workers", 0, "it must be 1 or more", "raise it"))
    assert said["cause"].endswith(f": raise it (see docs/{KINDS[noun].page})")
