# SPDX-License-Identifier: Apache-2.0
"""What Airflow reads about this package when it starts."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

__all__ = ["get_provider_info", "package_version"]


def package_version() -> str:
    """Return the version of this package."""
    try:
        return version("sluice-airflow")
    except PackageNotFoundError:  # run from a checkout
        return "0+unknown"


def get_provider_info() -> dict[str, Any]:
    """Return the description of the provider; see the entry point ``apache_airflow_provider``."""
    return {
        "package-name": "sluice-airflow",
        "name": "Sluice",
        "description": "Runs jobs of Sluice, a queueing scheduler for batch jobs.",
        "versions": [package_version()],
        "integrations": [
            {
                "integration-name": "Sluice",
                "external-doc-url": "https://pypi.org/project/sluice-airflow/",
                "tags": ["software"],
            }
        ],
        "hooks": [{"integration-name": "Sluice", "python-modules": ["sluice_airflow.hook"]}],
        "operators": [
            {"integration-name": "Sluice", "python-modules": ["sluice_airflow.operator"]}
        ],
        "sensors": [{"integration-name": "Sluice", "python-modules": ["sluice_airflow.sensor"]}],
        "triggers": [{"integration-name": "Sluice", "python-modules": ["sluice_airflow.trigger"]}],
        "connection-types": [
            {
                "connection-type": "sluice",
                "hook-class-name": "sluice_airflow.hook.SluiceHook",
                "hook-name": "Sluice",
                "ui-field-behaviour": {
                    "hidden-fields": ["login"],
                    "relabeling": {"password": "Token", "schema": "Scheme"},
                    "placeholders": {
                        "host": "sluice.example.com",
                        "port": "7411",
                        "schema": "http",
                        "extra": '{"namespace": "team"}',
                    },
                },
            }
        ],
        "extra-links": ["sluice_airflow.link.SluiceJobLink"],
    }
