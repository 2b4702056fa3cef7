# SPDX-License-Identifier: Apache-2.0
"""The trigger: waits for a job in Airflow's triggerer, without a worker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent
from sluice import AsyncClient, ServerFault, SluiceError, TooManyRequests, Unreachable

from sluice_airflow.hook import SluiceHook
from sluice_airflow.lookup import JobReference
from sluice_airflow.watch import FINAL_STATES, JobWatch

__all__ = ["SluiceJobTrigger"]

_FIND_SECONDS = 15.0
_CANCEL_SECONDS = 25.0
_DEFERRED = "deferred"
# The event loop keeps only weak references to its tasks.
_cancelling: set[asyncio.Future[None]] = set()


class SluiceJobTrigger(BaseTrigger):
    """Fires one event when a job has one of some states, or has ended.

    The event is ``{"job": id, "state": state, "reason": reason}``. If the server refuses to tell
    about the job, it is ``{"error": text, "status": HTTP status}``.

    A triggerer that is started again continues from ``after``, and reads the job, so no change is
    missed. It logs the output of the job from the beginning again.

    Args:
        job: id of a job, or a name, or ``NAMESPACE/NAME``. A name is waited for.
        sluice_conn_id: id of the connection.
        namespace: namespace in which a name is looked for.
        since: with a name: only jobs created at this time or later, in ISO 8601.
        find_seconds: seconds between two looks for a name.
        states: states to wait for, besides the final ones.
        after: id of an event of the job, to continue from; None: from now on.
        log_seconds: seconds between two readings of the job's output; None: do not read it.
        log_index: index of an array whose output is read.
        cancel_on_kill: cancel the job if a user ends or clears the deferred task.
    """

    def __init__(
        self,
        *,
        job: str,
        sluice_conn_id: str = SluiceHook.default_conn_name,
        namespace: str | None = None,
        since: str | None = None,
        find_seconds: float = _FIND_SECONDS,
        states: Sequence[str] = (),
        after: str | None = None,
        log_seconds: float | None = None,
        log_index: int = 0,
        cancel_on_kill: bool = False,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.job = job
        self.sluice_conn_id = sluice_conn_id
        self.namespace = namespace
        self.since = since
        self.find_seconds = find_seconds
        self.states = list(states)
        self.after = after
        self.log_seconds = log_seconds
        self.log_index = log_index
        self.cancel_on_kill = cancel_on_kill
        self._id: str | None = None
        self._fired = False

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Return the path of this class and its arguments."""
        return (
            f"{type(self).__module__}.{type(self).__qualname__}",
            {
                "job": self.job,
                "sluice_conn_id": self.sluice_conn_id,
                "namespace": self.namespace,
                "since": self.since,
                "find_seconds": self.find_seconds,
                "states": self.states,
                "after": self.after,
                "log_seconds": self.log_seconds,
                "log_index": self.log_index,
                "cancel_on_kill": self.cancel_on_kill,
            },
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Wait for the job and fire the event."""
        try:
            payload = await self._wait()
        except SluiceError as refused:
            payload = {"error": str(refused), "status": refused.status}
        self._fired = True
        yield TriggerEvent(payload)

    async def _wait(self) -> dict[str, Any]:
        hook = SluiceHook(self.sluice_conn_id)
        await hook.read_connection()
        async with hook.async_conn() as client:
            self._id = await self._find(client)
            watch = JobWatch(
                client,
                self._id,
                say=self._say,
                states=self.states or FINAL_STATES,
                after=self.after,
                log_seconds=self.log_seconds,
                log_index=self.log_index,
            )
            job = await watch.run()
            return {"job": job.id, "state": job.state, "reason": job.reason}

    def _say(self, line: str) -> None:
        self.log.info("%s", line)

    async def _find(self, client: AsyncClient) -> str:
        """Return the id of the job. A name that no job has yet is waited for."""
        reference = JobReference(self.job, self.namespace, self.since)
        if reference.is_id:
            return self.job
        said = ""
        while True:
            try:
                job = await reference.find_async(client)
                if job is not None:
                    return job.id
                missing = f"there is no job {self.job} yet"
            except (Unreachable, ServerFault, TooManyRequests) as failure:
                missing = f"job {self.job} cannot be looked for, trying again: {failure}"
            if missing != said:
                self._say(missing)
                said = missing
            await asyncio.sleep(self.find_seconds)

    async def on_kill(self) -> None:
        """Cancel the job when a user ends or clears the deferred task.

        Airflow does not call this when a triggerer stops or is started again. It may call it on a
        triggerer that was thought dead, after another one took over the trigger. The task is then
        still deferred, and its job continues.
        """
        known = JobReference(self.job).is_id
        id = self.job if known else self._id
        if not self.cancel_on_kill or self._fired or id is None:
            return
        # Airflow cancels the trigger again each second until it has ended, which interrupts this
        # method. The job is therefore cancelled by a task of its own.
        cancelling = asyncio.ensure_future(asyncio.wait_for(self._cancel(id), _CANCEL_SECONDS))
        _cancelling.add(cancelling)
        cancelling.add_done_callback(_cancelling.discard)
        await asyncio.shield(cancelling)

    async def _cancel(self, id: str) -> None:
        try:
            if await self._task_state() == _DEFERRED:
                self._say(f"job {id} continues: its task is still deferred")
                return
            hook = SluiceHook(self.sluice_conn_id)
            await hook.read_connection()
            async with hook.async_conn() as client:
                job = await client.jobs.get(id)
                if not job.done:
                    self._say(f"cancelling job {id}: its task was ended")
                    await job.cancel()
        except Exception:
            # Nobody may wait for the result any more.
            self.log.exception("job %s may continue, it could not be cancelled", id)

    async def _task_state(self) -> str | None:
        """Return the state of the task; None if it is not known or the task was cleared."""
        from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance

        ti = self.task_instance
        if ti is None:
            return None
        states = await asyncio.to_thread(
            RuntimeTaskInstance.get_task_states,
            dag_id=ti.dag_id,
            task_ids=[ti.task_id],
            run_ids=[ti.run_id],
            map_index=ti.map_index,
        )
        for found in states.get(ti.run_id, {}).values():
            return None if found is None else str(found)
        return None
