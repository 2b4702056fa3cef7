# SPDX-License-Identifier: Apache-2.0
"""The link from a task to its job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow.sdk import BaseOperatorLink
from airflow.sdk.execution_time.xcom import XCom

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator, Context
    from airflow.sdk.types import TaskInstanceKey

__all__ = ["SluiceJobLink"]

_XCOM_KEY = "_link_SluiceJobLink"


class SluiceJobLink(BaseOperatorLink):
    """The page of a task's job; see ``job_url`` of :class:`sluice_airflow.SluiceHook`."""

    name = "Sluice job"

    @property
    def xcom_key(self) -> str:
        """Key under which Airflow's pages look for the URL."""
        return _XCOM_KEY

    @staticmethod
    def persist(context: Context, url: str) -> None:
        """Store the URL, so that the link works while the task waits."""
        context["ti"].xcom_push(key=_XCOM_KEY, value=url)

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        """Return the URL that was stored; empty if the task has no job yet."""
        return str(XCom.get_value(key=_XCOM_KEY, ti_key=ti_key) or "")
