"""The tour of the README by the Python client: two teams, a sweep, a job that waits, and why."""

from pathlib import Path

import sluice

with sluice.Client() as client:
    print(client.apply(Path("examples/two-teams.yaml")))

    # An array of eight trials, each on a slice of its own. Four run at once.
    sweep = client.submit(Path("examples/sweep.yaml"))
    fleet = client.get("/v1/fleet", fields="slices")
    print("slices:", len(fleet["slices"]))

    # Another job of research has to wait, and says why.
    night = client.run(
        ["sleep", "60"],
        name="night",
        namespace="research",
        queue="main",
        priority="low",
        accelerator="v6e:4x4",
    )
    night.wait_for("pending", timeout=60)
    print(night.why().blocker)

    # Training reclaims its quota: two trials are told to end.
    train = client.run(
        ["sh", "-c", "echo worker $TPU_WORKER_ID of slice $MEGASCALE_SLICE_ID"],
        name="train",
        namespace="training",
        queue="main",
        priority="high",
        accelerator="v6e:4x4",
        slices=2,
    )
    train.wait(timeout=60, check=True)
    print(train.state)
    for line in train.logs():
        print(line)

    sweep.cancel()
    night.cancel()
