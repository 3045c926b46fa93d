"""What pyproject.toml cannot say: packages that are found, packages whose folders have other names, no pages."""

from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py


class BuildWithoutPages(build_py):
    """`pip install .` copies no page of docs: what is installed so names none. infra/wheel.py may know an address."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            face = Path(self.build_lib, "skipscan", "__init__.py")
            text = face.read_text(encoding="utf-8").replace('DOCUMENTATION = "docs"', 'DOCUMENTATION = ""')
            face.write_text(text, encoding="utf-8")


handlers = [f"skipscan_cdk.lambdas.{name}" for name in find_packages("lambdas", include=["handlers*"])]

setup(
    packages=[*find_packages("lambdas", include=["skipscan*"]), "skipscan_cdk", "skipscan_cdk.lambdas", *handlers],
    cmdclass={"build_py": BuildWithoutPages},
)
