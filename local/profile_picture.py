"""The pictures of the profile in docs/images: `make demo-profile`, then `python -m local.profile_picture`.

Both show the made-up shop, in light and in dark colours. Needs Chromium.
"""

from local.checkout import ROOT
from local.demo_profile import PAGES
from local.report_picture import take

PAGE = PAGES / "shop.html"
FOLDER = ROOT / "docs" / "images"
WINDOW = "1120,1000"


def main() -> None:
    for name, is_dark in (("profile-light.png", False), ("profile-dark.png", True)):
        take(PAGE, FOLDER / name, WINDOW, is_dark=is_dark, made_by="make demo-profile")


if __name__ == "__main__":
    main()
