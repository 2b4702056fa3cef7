# SPDX-License-Identifier: Apache-2.0
"""The sensor: waits for a job that something else submits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseSensorOperator, PokeReturnValue
from airflow.sdk.configuration import conf
from airflow.sdk.exceptions import AirflowException, AirflowFailException
from sluice import SluiceError

from sluice_airflow.failures import failure_of, is_final
from sluice_airflow.hook import SluiceHook
from sluice_airflow.lookup import JobReference
from sluice_airflow.trigger import SluiceJobTrigger
from sluice_airflow.watch import FINAL_STATES

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["SluiceJobSensor"]


class SluiceJobSensor(BaseSensorOperator):
    """Waits until a job has one of some states.

    A job that ends in another state fails the sensor without further tries; with ``soft_fail``,
    the sensor is skipped. A job that does not exist yet is waited for if it is given by name.

    The task returns ``{"id", "state"}`` of the job.

    Args:
        job: id of a job, or a name, or ``NAMESPACE/NAME``. A name means its newest job.
        states: states to wait for. A job may pass through ``ADMITTED`` and ``RUNNING`` quickly, so
            name the later ones, too. Default: ``SUCCEEDED``.
        namespace: namespace in which a name is looked for. Default: that of the connection.
        since: with a name: only jobs created at this time or later, in ISO 8601, such as
            ``{{ data_interval_end.isoformat() }}``.
        sluice_conn_id: id of the connection.
        deferrable: wait in the triggerer. Default: ``[operators] default_deferrable``.
    """

    template_fields: Sequence[str] = ("job", "states", "namespace", "since", "sluice_conn_id")
    ui_color = "#e6f1f2"

    def __init__(
        self,
        *,
        job: str,
        states: Sequence[str] = ("SUCCEEDED",),
        namespace: str | None = None,
        since: str | None = None,
        sluice_conn_id: str = SluiceHook.default_conn_name,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.job = job
        self.states = states
        self.namespace = namespace
        self.since = since
        self.sluice_conn_id = sluice_conn_id
        self.deferrable = deferrable

    def execute(self, context: Context) -> Any:
        """Wait for the job, here or in the triggerer."""
        if not self.deferrable:
            return super().execute(context)
        hook = SluiceHook(self.sluice_conn_id)
        self.defer(
            trigger=SluiceJobTrigger(
                job=self.job,
                sluice_conn_id=self.sluice_conn_id,
                namespace=self._namespace(hook),
                since=self.since,
                find_seconds=self.poke_interval,
                states=[state.upper() for state in self.states],
            ),
            method_name="execute_complete",
            timeout=timedelta(seconds=self.timeout),
        )

    def execute_complete(self, context: Context, event: Mapping[str, Any]) -> dict[str, Any]:
        """Continue after the trigger has fired."""
        if "error" in event:
            kind = AirflowFailException if is_final(event.get("status")) else AirflowException
            raise kind(f"job {self.job} cannot be watched: {event['error']}")
        return self._result(str(event["job"]), str(event["state"]), str(event.get("reason", "")))

    def poke(self, context: Context) -> PokeReturnValue:
        """Read the job once."""
        hook = SluiceHook(self.sluice_conn_id)
        try:
            with hook.get_conn() as client:
                job = JobReference(self.job, self._namespace(hook), self.since).find(client)
        except SluiceError as error:
            raise failure_of(f"job {self.job} cannot be read", error) from error
        if job is None:
            self.log.info("there is no job %s yet", self.job)
            return PokeReturnValue(is_done=False)
        self.log.info("job %s, id %s, is %s", self.job, job.id, job.state)
        if not job.done and job.state not in self._wanted():
            return PokeReturnValue(is_done=False)
        return PokeReturnValue(True, self._result(job.id, job.state, job.reason))

    def _namespace(self, hook: SluiceHook) -> str | None:
        """Return the namespace to look in; None: the name has one, or all are looked through."""
        if "/" in self.job:
            return None
        return self.namespace or hook.connection.extra_dejson.get("namespace")

    def _wanted(self) -> frozenset[str]:
        return frozenset(state.upper() for state in self.states)

    def _result(self, id: str, state: str, reason: str) -> dict[str, Any]:
        if state in self._wanted():
            return {"id": id, "state": state}
        assert state in FINAL_STATES
        because = f": {reason}" if reason else ""
        raise AirflowFailException(f"job {self.job}, id {id}, is {state}{because}")
