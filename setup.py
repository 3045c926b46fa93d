"""What pyproject.toml cannot say: packages that are found, and others whose folders have another name."""

from setuptools import find_packages, setup

handlers = [f"skipscan_cdk.lambdas.{name}" for name in find_packages("lambdas", include=["handlers*"])]

setup(packages=[*find_packages("lambdas", include=["skipscan*"]), "skipscan_cdk", "skipscan_cdk.lambdas", *handlers])
