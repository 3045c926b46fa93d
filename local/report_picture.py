"""The picture of the report in docs/images: `make demo`, then `python -m local.report_picture`. Needs Chromium."""

import subprocess
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from local.checkout import BUILD, ROOT

PAGE = BUILD / "demo" / "report.html"
PICTURE = ROOT / "docs" / "images" / "report.png"
WINDOW = "1120,1500"


DARK = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]


def take(page: Path, picture: Path, window: str = WINDOW, *, is_dark: bool = False, made_by: str = "make demo") -> None:
    """Write the top of a page as PNG, as a window of that width and height shows it. `made_by`: what makes the page."""
    chromium = which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed (apt package chromium)")
    if not page.exists():
        sys.exit(f"{page.relative_to(ROOT)} does not exist: run {made_by} first")
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as home:
        shown = [
            f"--user-data-dir={home}",
            f"--window-size={window}",
            f"--screenshot={picture}",
            page.resolve().as_uri(),
        ]
        quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
        subprocess.run(
            [chromium, *quiet, *(DARK if is_dark else []), *shown], check=True, capture_output=True, timeout=60
        )


if __name__ == "__main__":
    take(PAGE, PICTURE)
