"""Every page whose figures a benchmark keeps states the kept ones."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import benchmarks
from benchmarks.kept import ROOT, Block


def blocks() -> list[Block]:
    """Return the blocks of all folders that have one in their `document.py`."""
    folders = [module.name for module in iter_modules(benchmarks.__path__) if module.ispkg]
    documents = [name for name in folders if (Path("benchmarks") / name / "document.py").exists()]
    modules = [import_module(f"benchmarks.{name}.document") for name in documents]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Block)]


@pytest.mark.parametrize("block", blocks(), ids=lambda block: block.folder)
def test_the_page_states_the_kept_figures(block: Block) -> None:
    page = (ROOT / block.page).read_text()
    assert block.put_in(page) == page, f"renew it: python -m benchmarks.{block.folder}.document"


def test_the_blocks_are_found() -> None:
    assert [block.folder for block in blocks()] == ["copy", "finished_run", "profile", "retrofit", "writers"]


def test_new_figures_are_kept_with_their_day_and_put_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.kept.ROOT", tmp_path)
    (tmp_path / "benchmarks/any").mkdir(parents=True)
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- any:begin -->\nold\n<!-- any:end -->\nafter\n")
    block = Block("any", "page.md", "any", lambda figures: f"{figures['rate']} a second")
    block.renew({"rate": 7})
    assert page.read_text() == "before\n<!-- any:begin -->\n7 a second\n<!-- any:end -->\nafter\n"
    assert list(block.load()) == ["measured", "rate"]
