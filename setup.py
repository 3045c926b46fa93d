"""What pyproject.toml cannot say: packages that are found, and others whose folders have another name."""

from setuptools import find_packages, setup

setup(packages=[*find_packages("lambdas", include=["skipscan*"]), "skipscan_cdk", "skipscan_cdk.lambdas"])
