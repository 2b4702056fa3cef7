# SPDX-License-Identifier: Apache-2.0
"""Sluice jobs as tasks of Apache Airflow.

>>> from sluice_airflow import SluiceJobOperator
>>> train = SluiceJobOperator(
...     task_id="train",
...     command=["python", "train.py", "--day", "{{ ds }}"],
...     options={"queue": "main", "accelerator": "v6e:4x4", "slices": 2},
...     deferrable=True,
... )
"""

from sluice_airflow.hook import SluiceHook
from sluice_airflow.link import SluiceJobLink
from sluice_airflow.operator import SluiceJobOperator
from sluice_airflow.provider import get_provider_info, package_version
from sluice_airflow.sensor import SluiceJobSensor
from sluice_airflow.trigger import SluiceJobTrigger

__version__ = package_version()

__all__ = [
    "SluiceHook",
    "SluiceJobLink",
    "SluiceJobOperator",
    "SluiceJobSensor",
    "SluiceJobTrigger",
    "get_provider_info",
]
