# SPDX-License-Identifier: Apache-2.0
"""Takes a job from its submission to its end by a client that openapi-python-client made.

It prints the job's id if all went as expected; otherwise it ends with another exit code than 0.
"""

import os
import time

import httpx
from generated_sluice import AuthenticatedClient
from generated_sluice.api.events import watch_events
from generated_sluice.api.jobs import cancel_job, get_job, submit_job
from generated_sluice.models import ApplyAnswer, EventPage, JobAcknowledgement, JobView, Manifest

_PATIENCE_SECONDS = 120


def _expect(answer, kind):
    """Returns the answer; a refusal would be a Problem."""
    assert isinstance(answer, kind), f"no {kind.__name__}: {answer}"
    return answer


def _follow(client: AuthenticatedClient, job: str, after: str, kind: str) -> str:
    """Reads events until one of the job has that kind, and returns the event's id."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        answer = watch_events.sync(client=client, after=after, wait="10s")
        page = _expect(answer, EventPage)
        for event in page.items:
            if event.kind == kind and event.job and event.job.id == job:
                return event.id
        after = page.next_after
    raise AssertionError(f"no {kind} of job {job}")


def _main() -> None:
    client = AuthenticatedClient(
        base_url=os.environ["SLUICE_SERVER"],
        token=os.environ["SLUICE_TOKEN"],
        timeout=httpx.Timeout(30),
    )
    manifest = Manifest.from_dict(
        {
            "apiVersion": "sluice.io/v1",
            "kind": "Job",
            "metadata": {"name": "by-openapi-python-client", "namespace": "team"},
            "spec": {
                "queue": "main",
                "requests": {"cpu": 1},
                "gracePeriod": "1s",
                "command": ["sleep", "600"],
            },
        }
    )
    preview = _expect(submit_job.sync(client=client, body=manifest, dry_run=True), ApplyAnswer)
    assert preview.dry_run, preview
    start = _expect(watch_events.sync(client=client), EventPage).next_after
    submitted = _expect(submit_job.sync(client=client, body=manifest), JobAcknowledgement)
    started = _follow(client, submitted.id, start, "AttemptStarted")
    assert cancel_job.sync(submitted.id, client=client).id == submitted.id
    _follow(client, submitted.id, started, "JobFinished")
    status = _expect(get_job.sync(submitted.id, client=client), JobView).status
    assert status.state == "CANCELLED", status
    assert status.finished_at, status
    print(submitted.id)


_main()
