# SPDX-License-Identifier: Apache-2.0
"""The operator: runs a Sluice job as an Airflow task."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import BaseOperator
from airflow.sdk.configuration import conf
from airflow.sdk.exceptions import AirflowException, AirflowFailException, TaskDeferralTimeout
from sluice import AsyncJob, Client, Conflict, Job, JobOptions, NotFound, Retry, SluiceError

from sluice_airflow.failures import failure_of, is_final
from sluice_airflow.hook import SluiceHook
from sluice_airflow.link import SluiceJobLink
from sluice_airflow.manifests import ManifestError, task_manifest
from sluice_airflow.task_try import TaskTry, job_name
from sluice_airflow.trigger import SluiceJobTrigger
from sluice_airflow.watch import JobWatch

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["SluiceJobOperator"]

_LIVE_STATES = ("SUBMITTED", "PENDING", "ADMITTED", "RUNNING", "DRAINING")
_LOG_SECONDS_DEFERRED = 30.0
_LOG_SECONDS_HERE = 3.0
# Airflow kills a task that has not ended a few seconds after SIGTERM.
_KILL_RETRY = Retry(tries=2, seconds=2.0)
_KILL_SECONDS = 2.0


class SluiceJobOperator(BaseOperator):
    """Submits a job and waits for its end.

    The task succeeds if the job does. A job that failed fails the try, and Airflow's next try
    submits a new job. A job that the server refuses, or that somebody cancelled, fails the task
    without further tries.

    A task that has a live job in its DAG run takes it over, such as after the death of a worker.
    A try that is executed again gets the job that it had submitted, even if that has ended.

    The task returns ``{"id", "namespace", "name", "state"}`` of its job.

    Args:
        command: the program and its arguments; no shell interprets them.
        options: options of the job; see :class:`sluice.JobOptions`. The name defaults to the
            task's, the namespace to the connection's.
        manifest: the manifest of one job, as an object or as YAML, instead of ``command`` and
            ``options``.
        sluice_conn_id: id of the connection.
        deferrable: wait in the triggerer. Default: ``[operators] default_deferrable``.
        cancel_on_kill: cancel the job if the task is killed, cleared or marked, or times out.
        reattach: take over the live job of the task, if there is one.
        logs: log the output of the job.
        log_interval: seconds between two readings of the output. Default: 30 while deferred,
            otherwise 3.
        log_index: index of an array whose output is logged.
    """

    template_fields: Sequence[str] = ("command", "options", "manifest", "sluice_conn_id")
    template_fields_renderers: ClassVar[dict[str, str]] = {
        "command": "json",
        "options": "json",
        "manifest": "yaml",
    }
    operator_extra_links = (SluiceJobLink(),)
    ui_color = "#d8e8f2"

    def __init__(
        self,
        *,
        command: Sequence[str] | None = None,
        options: JobOptions | Mapping[str, Any] | None = None,
        manifest: Mapping[str, Any] | str | None = None,
        sluice_conn_id: str = SluiceHook.default_conn_name,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        cancel_on_kill: bool = True,
        reattach: bool = True,
        logs: bool = True,
        log_interval: float | timedelta | None = None,
        log_index: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if manifest is not None and (command is not None or options is not None):
            raise ValueError("give manifest, or command and options, not both")
        if manifest is None and command is None and options is None:
            raise ValueError("give command, options or manifest")
        self.command = command
        self.options = options
        self.manifest = manifest
        self.sluice_conn_id = sluice_conn_id
        self.deferrable = deferrable
        self.cancel_on_kill = cancel_on_kill
        self.reattach = reattach
        self.logs = logs
        self.log_interval = log_interval
        self.log_index = log_index
        self._job_id: str | None = None
        self._submitting: TaskTry | None = None
        self._killed = False

    @cached_property
    def hook(self) -> SluiceHook:
        """The hook of the connection."""
        return SluiceHook(self.sluice_conn_id)

    def execute(self, context: Context) -> dict[str, Any]:
        """Submit the job, or take over the live one, and wait for its end."""
        tried = TaskTry.of(context)
        with self.hook.get_conn() as client:
            try:
                job = self._live_job(client, tried)
                if job is None:
                    job = self._submit(client, tried)
            except SluiceError as error:
                raise failure_of("the job was not submitted", error) from error
            return self._wait(context, client, job)

    def execute_complete(self, context: Context, event: Mapping[str, Any]) -> dict[str, Any]:
        """Continue after the trigger has fired."""
        if "error" in event:
            kind = AirflowFailException if is_final(event.get("status")) else AirflowException
            raise kind(f"the job cannot be watched: {event['error']}")
        with self.hook.get_conn() as client:
            try:
                job = client.jobs.get(str(event["job"]))
            except SluiceError as error:
                raise failure_of(f"job {event['job']} cannot be read", error) from error
            self._job_id = job.id
            return self._finish(context, client, job)

    def resume_execution(
        self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context
    ) -> Any:
        """Continue after a deferral; if it took too long, cancel the job first."""
        try:
            return super().resume_execution(next_method, next_kwargs, context)
        except TaskDeferralTimeout:
            if self.cancel_on_kill:
                with self.hook.get_conn() as client:
                    self._cancel(client, None, TaskTry.of(context))
            raise

    def on_kill(self) -> None:
        """Cancel the job."""
        self._killed = True
        if not self.cancel_on_kill or self._submitting is None:
            return
        # This runs in a handler of SIGTERM. The interrupted code may hold the locks of its client,
        # so this one is new. The connection was read before.
        with self.hook.get_conn(retry=_KILL_RETRY, timeout=_KILL_SECONDS) as client:
            self._cancel(client, self._job_id, self._submitting)

    def _live_job(self, client: Client, tried: TaskTry) -> Job | None:
        """Return the live job of this task in this run, if there is one."""
        if not self.reattach:
            return None
        self._submitting = tried
        job = next(client.jobs.list(label=tried.task_labels, state=_LIVE_STATES), None)
        if job is not None:
            self.log.info("taking over job %s/%s, id %s", job.namespace, job.name, job.id)
        return job

    def _manifest(self, tried: TaskTry) -> dict[str, Any]:
        try:
            return task_manifest(
                self.command,
                self.options,
                self.manifest,
                namespace=self.hook.namespace,
                name=job_name(self.task_id),
                labels=tried.labels,
            )
        except ManifestError as wrong:
            raise AirflowFailException(f"the task has no correct job: {wrong}") from wrong

    def _submit(self, client: Client, tried: TaskTry) -> Job:
        manifest = self._manifest(tried)
        self._submitting = tried
        try:
            job = client.submit(manifest, idempotency_key=tried.idempotency_key)
        except Conflict as reused:
            if reused.code != "idempotency-key-reused":
                raise
            # The try was executed before with other values of its templates.
            namespace = manifest["metadata"]["namespace"]
            found = client.jobs.list(namespace=namespace, label=tried.labels).first(1)
            if not found:
                raise
            job = found[0]
            self.log.warning("this try had submitted job %s with another manifest", job.id)
            return job
        verb = "found again" if job.replayed else "submitted"
        self.log.info("%s job %s/%s, id %s", verb, job.namespace, job.name, job.id)
        return job

    def _wait(self, context: Context, client: Client, job: Job) -> dict[str, Any]:
        self._job_id = job.id
        context["ti"].xcom_push(key="job_id", value=job.id)
        SluiceJobLink.persist(context, self.hook.job_url(job.namespace, job.name, job.id))
        if not self.deferrable:
            return self._finish(context, client, asyncio.run(self._watch(job.id)))
        try:
            # The id is read before the job, so no change between the two is missed.
            after = client.get("/v1/events", job=job.id, kind="Job").get("nextAfter")
            ended = job.refresh().done
        except SluiceError as error:
            self.log.warning("job %s cannot be read now: %s", job.id, error)
            after, ended = None, False
        if ended and not self.logs:
            return self._finish(context, client, job)
        self.defer(
            trigger=SluiceJobTrigger(
                job=job.id,
                sluice_conn_id=self.sluice_conn_id,
                after=after,
                log_seconds=self._log_seconds(_LOG_SECONDS_DEFERRED),
                log_index=self.log_index,
                cancel_on_kill=self.cancel_on_kill,
            ),
            method_name="execute_complete",
            timeout=self.execution_timeout,
        )

    async def _watch(self, id: str) -> AsyncJob:
        async with self.hook.async_conn() as client:
            watch = JobWatch(
                client,
                id,
                say=lambda line: self.log.info("%s", line),
                log_seconds=self._log_seconds(_LOG_SECONDS_HERE),
                log_index=self.log_index,
            )
            try:
                return await watch.run()
            except SluiceError as error:
                raise failure_of(f"job {id} cannot be watched", error) from error

    def _log_seconds(self, default: float) -> float | None:
        if not self.logs:
            return None
        given = self.log_interval
        if given is None:
            return default
        return given.total_seconds() if isinstance(given, timedelta) else float(given)

    def _finish(self, context: Context, client: Client, job: Job | AsyncJob) -> dict[str, Any]:
        """Return the result of a job that ended, or raise."""
        described = f"job {job.namespace}/{job.name}, id {job.id}, is {job.state}"
        because = f": {job.reason}" if job.reason else ""
        if job.succeeded:
            return {
                "id": job.id,
                "namespace": job.namespace,
                "name": job.name,
                "state": job.state,
            }
        if job.state != "CANCELLED" or self._killed:
            raise AirflowException(f"{described}{because}")
        tried = TaskTry.of(context)
        if tried.made(job.record):
            raise AirflowFailException(f"{described}{because}")
        # It was cancelled because its own try was ended, and this try came in between.
        self.log.info("%s; this try submits its own", described)
        try:
            own = self._submit(client, tried)
        except SluiceError as error:
            raise failure_of("the job was not submitted", error) from error
        return self._wait(context, client, own)

    def _cancel(self, client: Client, id: str | None, tried: TaskTry) -> None:
        """Cancel a job by its id, or the live jobs of a task if the id is not known."""
        try:
            if id is None:
                jobs = list(client.jobs.list(label=tried.task_labels, state=_LIVE_STATES))
            else:
                jobs = [client.jobs.get(id)]
            for job in jobs:
                if not job.done:
                    self.log.info("cancelling job %s: its task was ended", job.id)
                    job.cancel()
        except NotFound:
            return
        except SluiceError as error:
            self.log.error("the job may continue, it could not be cancelled: %s", error)
