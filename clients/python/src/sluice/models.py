# SPDX-License-Identifier: Apache-2.0
# Generated from docs/openapi.yaml by generate_models.py. Do not edit.
"""Types of the JSON objects that the server answers and accepts.

A value of such a type is a plain ``dict``. ``NotRequired`` fields may be absent. A newer server may
add fields.
"""

from typing import Any, TypeAlias

from typing_extensions import NotRequired, TypedDict

__all__ = [
    "AcceleratorUsage",
    "AffectedAttempt",
    "Alternative",
    "ApplyAnswer",
    "ApplyResult",
    "AssignedPodSet",
    "AttemptAssignment",
    "AttemptDrain",
    "AttemptEviction",
    "AttemptInTheWay",
    "AttemptPreemption",
    "AttemptResize",
    "AttemptView",
    "AuditRecord",
    "Backfill",
    "BackfillRequest",
    "CallerIdentity",
    "CallerSession",
    "CallerToken",
    "CapacitySupply",
    "ChangePart",
    "ChangedJob",
    "ChangedObject",
    "ChangedRun",
    "ChangedStep",
    "CheckpointAccepted",
    "CheckpointReport",
    "ClosedSlice",
    "DecayedUsage",
    "EditPreview",
    "EffectCounts",
    "EndedAttempt",
    "EventPage",
    "EvictionCost",
    "ExpectedFinish",
    "ExportedJob",
    "ExportedJobs",
    "FilledDefaults",
    "FlavorObstacle",
    "FlavorUsage",
    "FleetCluster",
    "FleetMap",
    "FleetOverview",
    "FormedSlice",
    "Group",
    "HeldRole",
    "HostView",
    "InputSetAside",
    "Instant",
    "IssuedToken",
    "JobAccepted",
    "JobAcknowledgement",
    "JobAcknowledgements",
    "JobCost",
    "JobCounts",
    "JobEvent",
    "JobExpectedStart",
    "JobExplanation",
    "JobGain",
    "JobHeadStart",
    "JobHold",
    "JobIndex",
    "JobIndices",
    "JobLimited",
    "JobMetadata",
    "JobPlannedStart",
    "JobPrioritized",
    "JobStatus",
    "JobView",
    "JobWait",
    "JournalEvent",
    "JournalOverview",
    "JournalSnapshot",
    "KeptFor",
    "KueueController",
    "KueueExported",
    "KueueImported",
    "KueueUsage",
    "KueueWorkload",
    "KueueWorkloads",
    "LatenessChange",
    "ListedAffectedAttempt",
    "ListedAttemptEviction",
    "ListedAttemptInTheWay",
    "ListedJobGain",
    "ListedJobWait",
    "ListedQueueChange",
    "ListedQuotaExcess",
    "ListedSimulatedJob",
    "LocalQueueFairSharing",
    "LossConfirmed",
    "Manifest",
    "MapHolder",
    "MapSlice",
    "NamedObject",
    "NeededChange",
    "ObjectLeft",
    "ObjectName",
    "OthersInTheWay",
    "OutsidePods",
    "PageAttemptView",
    "PageAuditRecord",
    "PageBackfill",
    "PageCallerSession",
    "PageCallerToken",
    "PageEndedAttempt",
    "PageHostView",
    "PageJobEvent",
    "PageJobView",
    "PagePipelineSchedule",
    "PagePlanEntry",
    "PageQueueAccuracy",
    "PageRun",
    "PageSavedPipeline",
    "PageSliceAllocation",
    "PageSliceHistoryEntry",
    "PageSliceView",
    "PendingWorkload",
    "PendingWorkloadsSummary",
    "Permission",
    "PipelineDeletion",
    "PipelineSchedule",
    "PlanAmount",
    "PlanEntry",
    "PodDomain",
    "PodSet",
    "PodTopology",
    "Preview",
    "Problem",
    "QueueAccuracy",
    "QueueChange",
    "QueueStatus",
    "QuotaAmount",
    "QuotaAmounts",
    "QuotaExcess",
    "QuotaMetadata",
    "QuotaObjectPage",
    "QuotaObjectView",
    "QuotaResult",
    "RecheckDifference",
    "RecheckResult",
    "ResizeCause",
    "ResourceChange",
    "ResourceUsage",
    "Result",
    "Run",
    "RunPlace",
    "RunRequest",
    "RunStep",
    "RungView",
    "SavedPipeline",
    "ServerState",
    "SignInProvider",
    "SimulatedJob",
    "SimulationAnswer",
    "SliceAllocation",
    "SliceCount",
    "SliceHistoryEntry",
    "SliceHolder",
    "SliceKind",
    "SliceView",
    "Slices",
    "Status",
    "StepJobs",
    "SubmitterLimit",
    "TokenRequest",
    "Try",
    "Upcoming",
    "UpcomingRunList",
    "Violation",
    "VirtualHost",
    "WatchedEvent",
    "WorkloadMetadata",
]

Instant: TypeAlias = str


class AcceleratorUsage(TypedDict):
    """The schema ``AcceleratorUsage``."""

    chips: int
    """Number of chips with at least one metric."""
    dutyCyclePercent: NotRequired[float]
    """Percent of the time in which the chips computed; absent if not reported."""
    tensorcoreUtilizationPercent: NotRequired[float]
    """Percent of the capacity of the TensorCores; absent if not reported."""
    memoryBandwidthUtilizationPercent: NotRequired[float]
    """Percent of the memory bandwidth; absent if not reported."""
    hbmUsedBytes: NotRequired[int]
    """Used bytes of memory of all chips; absent if not reported."""
    hbmTotalBytes: NotRequired[int]
    """Bytes of memory of all chips; absent if not reported."""
    readAt: "Instant"
    """When the oldest of the metrics was read."""


class AffectedAttempt(TypedDict):
    """The schema ``AffectedAttempt``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent as its id."""
    name: NotRequired[str]
    """Name of the job, for an array with the index, as in sweep[0]; absent as its id."""
    clusterQueue: str
    """The ClusterQueue of the job."""
    priority: int
    """Priority of the job."""
    index: int
    """Index of the job, from 0."""
    attempt: int
    """Number of the attempt of that index, from 1."""


class Alternative(TypedDict):
    """The schema ``Alternative``."""

    kind: str
    """SHORTER_TIME_LIMIT, FEWER_SLICES, OTHER_COMPUTE_CLASS (both: the job submitted anew) or
    HIGHER_PRIORITY.
    """
    timeLimit: NotRequired[str]
    """The longest time limit that was found to suffice; absent for other kinds."""
    slices: NotRequired[int]
    """The most slices that were found to start; absent for other kinds."""
    computeClass: NotRequired[str]
    """The compute class with room; absent for the job without a class, and for other kinds."""
    priorityClass: NotRequired[str]
    """The priority class with the lowest value that suffices; absent for other kinds."""


class ApplyAnswer(TypedDict):
    """The schema ``ApplyAnswer``."""

    dryRun: NotRequired[bool]
    """true for a dry run, which stores nothing; otherwise absent."""
    results: "list[ApplyResult]"
    """The results: quota objects first, then pipelines, then jobs."""
    preview: NotRequired["EditPreview"]
    """The effects that the edit would have; absent unless it is a dry run."""
    warnings: NotRequired[list[str]]
    """Warnings about quota that exceeds the fleet, as sentences; absent if there are none."""


class ApplyResult(TypedDict):
    """The schema ``ApplyResult``."""

    kind: str
    """Kind of the object."""
    namespace: NotRequired[str]
    """Namespace of the object; absent if its kind has none."""
    name: str
    """Name of the object."""
    result: str
    """created, configured, unchanged or deleted."""
    defaults: NotRequired["FilledDefaults"]
    """Fields that the compute class of a job filled in; absent if it filled in none."""
    id: NotRequired[str]
    """Id of a job; absent for other kinds, and in a dry run unless the job exists already."""
    state: NotRequired[str]
    """Expected state of a job, ADMITTED or PENDING; absent unless it is a dry run."""
    admitted: NotRequired[int]
    """Number of indices of a job that would be admitted; absent unless it is a dry run."""
    blocker: NotRequired[str]
    """Code of the cause for which some of the job would wait; absent if none would."""
    reason: NotRequired[str]
    """That cause as a sentence; absent if none of the job would wait."""
    warnings: NotRequired[list[str]]
    """Warnings about the object, as sentences; absent if there are none."""


class AssignedPodSet(TypedDict):
    """The schema ``AssignedPodSet``."""

    name: str
    """Name of the pod set."""
    count: int
    """Number of pods."""
    delay: NotRequired[str]
    """PENDING or READY, of pods that are placed when their nodes exist; otherwise absent."""
    usage: dict[str, int]
    """Amounts that all pods use, by resource; cpu in thousandths, others in whole units."""
    flavors: dict[str, str]
    """The flavor of each resource."""
    topology: NotRequired["PodTopology"]
    """Where the pods are; absent if they are not placed."""


class AttemptAssignment(TypedDict):
    """The schema ``AttemptAssignment``."""

    rung: NotRequired[int]
    """Number of the rung of the compute class, from 0; absent without a rung."""
    slices: list[str]
    """Names of the slices, in the order of their slice ids."""
    podSets: "list[AssignedPodSet]"
    """The assignments of the pod sets."""
    clusterQueue: str
    """The ClusterQueue whose quota the attempt uses."""


class AttemptDrain(TypedDict):
    """The schema ``AttemptDrain``."""

    cause: str
    """Code of the cause."""
    notice: NotRequired[str]
    """Time after which the capacity is gone, an ISO 8601 duration; absent if it stays."""
    failure: NotRequired[str]
    """Code of the failure; absent if the attempt did not fail."""
    message: str
    """The cause as a sentence; may be empty."""
    preemption: NotRequired["AttemptPreemption"]
    """The preemption; absent if the attempt was not preempted."""


class AttemptEviction(TypedDict):
    """The schema ``AttemptEviction``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent as its id."""
    name: NotRequired[str]
    """Name of the job, for an array with the index, as in sweep[0]; absent as its id."""
    clusterQueue: str
    """The ClusterQueue of the job."""
    priority: int
    """Priority of the job."""
    index: int
    """Index of the job, from 0."""
    attempt: int
    """Number of the attempt of that index, from 1."""
    cause: str
    """Code of the cause."""
    reason: str
    """The cause as a sentence."""


class AttemptInTheWay(TypedDict):
    """The schema ``AttemptInTheWay``."""

    job: str
    """Id of the job."""
    index: int
    """Index of the job, from 0."""
    attempt: int
    """Number of the attempt of that index, from 1."""
    name: str
    """Name of the job; for an array with the index, as in sweep[0]."""
    clusterQueue: str
    """The ClusterQueue whose quota the attempt uses."""
    priority: int
    """Priority of the job."""
    draining: bool
    """Whether the attempt was told to end."""
    latestEnd: NotRequired["Instant"]
    """End of the time limit and grace period, or of the lease; absent without either."""


class AttemptPreemption(TypedDict):
    """The schema ``AttemptPreemption``."""

    reason: str
    """Code of the reason."""
    preemptor: "JobIndex"
    """The index that gets the room."""


class AttemptResize(TypedDict):
    """The schema ``AttemptResize``."""

    at: "Instant"
    """Time of the decision."""
    letGo: list[str]
    """Slices that the attempt holds only until it is settled."""
    resize: "ResizeCause"
    """Cause of the resize."""
    counted: int
    """Number of slices that count against quota until it is settled."""
    settled: bool
    """Whether nothing is left of older generations."""


class AttemptView(TypedDict):
    """The schema ``AttemptView``."""

    index: int
    """Index of the job, from 0."""
    attempt: int
    """Number of the attempt of that index, from 1."""
    generation: int
    """Present generation of the attempt, from 1."""
    state: str
    """ADMITTED, RUNNING, DRAINING or ENDED."""
    clusterQueue: str
    """The ClusterQueue that admitted the attempt."""
    assignment: "AttemptAssignment"
    """What the attempt holds or held."""
    admittedAt: "Instant"
    """When the attempt was admitted."""
    startedAt: NotRequired["Instant"]
    """When its processes were started; absent if they were not."""
    drainingAt: NotRequired["Instant"]
    """When it was told to end; absent if it was not."""
    endedAt: NotRequired["Instant"]
    """When nothing was left of it; absent if it has not ended."""
    progressAt: NotRequired["Instant"]
    """Time of the last progress; absent if none was reported."""
    stalledSince: NotRequired["Instant"]
    """Since when it makes no progress; absent if it is not stalled."""
    progress: NotRequired[str]
    """Text of the last progress; absent if there is none."""
    checkpoint: NotRequired[str]
    """The last checkpoint; absent if it saved none."""
    lastResize: NotRequired["AttemptResize"]
    """The last resize; absent if there was none."""
    leaseEnd: NotRequired["Instant"]
    """End of the lease of its capacity; absent without a lease."""
    pricePerChipHour: NotRequired[str]
    """Price of a chip for an hour, a decimal number in the currency of the class; absent if
    unknown.
    """
    drain: NotRequired["AttemptDrain"]
    """Why it was told to end; absent if it was not."""
    outcome: NotRequired[str]
    """The outcome; absent if it has not ended."""
    cause: str | None
    """Code of the failure; null unless the attempt failed."""
    message: NotRequired[str]
    """The outcome as a sentence, which may be empty; absent if it has not ended."""


class AuditRecord(TypedDict):
    """The schema ``AuditRecord``."""

    at: "Instant"
    """Time of the change."""
    caller: str
    """Name of the caller."""
    role: str
    """Role of the caller at that time."""
    action: str
    """Kind of the change, such as create or cancel."""
    kind: str
    """Kind of the changed object."""
    namespace: NotRequired[str]
    """Namespace of the object; absent if its kind has none."""
    name: str
    """Name of the object."""
    job: NotRequired[str]
    """Id of the job; absent if the change concerns none."""
    detail: NotRequired[dict[str, Any]]
    """Further facts, by the kind of the change; absent if there are none."""


Backfill = TypedDict(
    "Backfill",
    {
        # The id of the backfill
        "id": str,
        # The namespace of the pipeline
        "namespace": str,
        # The name of the pipeline
        "pipeline": str,
        # The name of the schedule
        "schedule": str,
        # The beginning of the period, inclusive
        "from": "Instant",
        # The end of the period, exclusive
        "to": "Instant",
        # The most runs in progress at a time
        "maxParallel": int,
        # The number of logical times in the period
        "times": int,
        # The number of runs that it started
        "begun": int,
        # The number of times that already had a run
        "thereBefore": int,
        # RUNNING, ENDED or CANCELLED
        "state": str,
        # Why it was cancelled; absent if it was not
        "reason": NotRequired[str],
        # The user that started it
        "createdBy": str,
        # When it was started
        "createdAt": "Instant",
        # When it ended; absent before
        "endedAt": NotRequired["Instant"],
    },
)
"""The schema ``Backfill``."""


BackfillRequest = TypedDict(
    "BackfillRequest",
    {
        # The beginning of the period, inclusive
        "from": "Instant",
        # The end of the period, exclusive
        "to": "Instant",
        # The most runs in progress at a time, 1 to 1000; absent: 1
        "maxParallel": NotRequired[int],
    },
)
"""The schema ``BackfillRequest``."""


class CallerIdentity(TypedDict):
    """The schema ``CallerIdentity``."""

    name: str
    """Name of the caller."""
    groups: list[str]
    """Groups of the caller, as the identity provider told."""
    roles: "list[HeldRole]"
    """Roles of the caller; a caller without any reads quota and the fleet only."""
    signedInBy: str
    """How the caller signed in: token or identity-provider."""
    session: NotRequired[str]
    """Id of the session; absent: the request has a token."""
    expiresAt: NotRequired["Instant"]
    """Time from which the token or the session is refused; absent: it does not expire."""


class CallerSession(TypedDict):
    """The schema ``CallerSession``."""

    id: str
    """Id of the session."""
    caller: str
    """Name of the caller."""
    signedInBy: str
    """How the caller signed in: token or identity-provider."""
    current: bool
    """Whether it is the session of this request."""
    createdAt: "Instant"
    """Time of the sign-in."""
    expiresAt: "Instant"
    """Time from which it is refused; a session of a token ends with the token before."""
    lastUsedAt: NotRequired["Instant"]
    """Time of a use, exact to ten minutes; absent: it was never used."""


class CallerToken(TypedDict):
    """The schema ``CallerToken``."""

    name: str
    """Name of the caller."""
    role: str
    """Role of the caller."""
    namespaces: list[str]
    """Namespaces of the caller; * stands for all."""
    state: str
    """valid; expired; or shadowed: the tokens file of the answering server has a caller of this
    name, so that server refuses the token.
    """
    createdAt: "Instant"
    """Time of the creation."""
    createdBy: str
    """Name of the caller who created it."""
    rotatedAt: NotRequired["Instant"]
    """Time of the last rotation; absent: it was never rotated."""
    formerValidUntil: NotRequired["Instant"]
    """Time until which the token before the last rotation is valid; absent: it is not."""
    expiresAt: NotRequired["Instant"]
    """Time from which it is refused; absent: it does not expire."""
    lastUsedAt: NotRequired["Instant"]
    """Time of a use, exact to an hour; absent: it was never used."""


class CapacitySupply(TypedDict):
    """The schema ``CapacitySupply``."""

    capacityType: str
    """The capacity type, as in a fleet's manifest."""
    provisioned: bool
    """Whether the slices are available without a request to the provider."""
    grantAfter: str
    """Time that the provider takes to grant a slice, a duration; or never."""
    outOfStock: bool
    """Whether the provider refuses each request."""


class ChangePart(TypedDict):
    """The schema ``ChangePart``."""

    kind: str
    """Kind of the change."""
    subject: str
    """The flavor, queue, namespace, class or job to change."""
    resource: NotRequired[str]
    """Resource of the quota to add; absent for other kinds."""
    amount: NotRequired[str]
    """Amount to add: a quantity of the resource, or a number of slices, pods or jobs; absent if the
    change has no amount.
    """


class ChangedJob(TypedDict):
    """The schema ``ChangedJob``."""

    id: str
    """The id of the job."""
    namespace: NotRequired[str]
    """The namespace of the job."""
    name: NotRequired[str]
    """The name of the job."""
    queue: NotRequired[str]
    """The LocalQueue of the job."""
    clusterQueue: NotRequired[str]
    """The ClusterQueue of the job."""
    index: NotRequired[int]
    """The index; absent if the event is about the whole job."""
    attempt: NotRequired[int]
    """The number of the attempt; absent if it is about none."""


class ChangedObject(TypedDict):
    """The schema ``ChangedObject``."""

    kind: str
    """Job, Attempt, Slice, Fleet, Run, or the kind of a quota object."""
    namespace: NotRequired[str]
    """Absent for kinds without a namespace."""
    name: NotRequired[str]
    """Absent for attempts, slices and the fleet."""
    state: NotRequired[str]
    """The state after the change; absent if the change is not one of state."""
    slices: NotRequired[list[str]]
    """Names of the slices that it is about; absent if there are none."""


class ChangedRun(TypedDict):
    """The schema ``ChangedRun``."""

    id: str
    """The id of the run."""
    namespace: str
    """The namespace of the run."""
    pipeline: str
    """The pipeline of the run."""
    name: str
    """The name of the run."""
    reason: NotRequired[str]
    """Why the run is in its state; absent if there is nothing to say."""
    steps: NotRequired["list[ChangedStep]"]
    """The steps that changed, or of which parts did; absent if only the run changed."""


class ChangedStep(TypedDict):
    """The schema ``ChangedStep``."""

    name: str
    """The name of the step."""
    state: str
    """The state after the change."""


class CheckpointAccepted(TypedDict):
    """The schema ``CheckpointAccepted``."""

    id: str
    """Id of the job."""
    index: int
    """Index of the job, from 0."""
    attempt: int
    """Number of the attempt of that index, from 1."""
    generation: int
    """Generation of the attempt, from 1."""
    text: str
    """Where the checkpoint is."""


class CheckpointReport(TypedDict):
    """The schema ``CheckpointReport``."""

    index: NotRequired[int]
    """Index of the job, from 0; may be omitted for a job that is not an array."""
    attempt: NotRequired[int]
    """Number of the attempt of that index, from 1; required."""
    generation: NotRequired[int]
    """Generation of the attempt, from 1; required."""
    text: NotRequired[str]
    """Where the checkpoint is: one line of printable characters, at most 4096 bytes; required."""


class ClosedSlice(TypedDict):
    """The schema ``ClosedSlice``."""

    slice: str
    """Name of the slice."""
    reason: str
    """The reason as a sentence."""


class DecayedUsage(TypedDict):
    """The schema ``DecayedUsage``."""

    consumedResources: dict[str, str]
    """Usage by resource, as quantities."""
    lastUpdate: "Instant"
    """Time of the usage."""


class EditPreview(TypedDict):
    """The schema ``EditPreview``."""

    sequence: int
    """The batch of the journal that the preview starts from."""
    complete: bool
    """false: the preview was stopped before nothing more could be decided."""
    queues: "ListedQueueChange"
    """ClusterQueues whose quota or usage would change, by name."""
    over: "ListedQuotaExcess"
    """ClusterQueues and Cohorts that would exceed their limit by more than without the edit."""
    gains: "ListedJobGain"
    """Jobs of which more indices would be admitted, in queue order."""
    evictions: "ListedAttemptEviction"
    """Attempts that would be told to end."""
    waits: "ListedJobWait"
    """Jobs of which fewer indices would be admitted, or that would need another change, in queue
    order.
    """
    starts: NotRequired["SimulationAnswer"]
    """Which jobs would start when over the next week, as a simulation of the edit gives it; absent
    if the edit changes nothing.
    """


class EffectCounts(TypedDict):
    """The schema ``EffectCounts``."""

    starts: int
    """Jobs that start only with the changes."""
    earlier: int
    """Jobs that start earlier."""
    later: int
    """Jobs that start later."""
    never: int
    """Jobs that do not start by the end of the comparison."""
    displaced: int
    """Jobs of which more attempts are evicted."""
    spared: int
    """Jobs of which fewer attempts are evicted."""
    unknown: int
    """Jobs whose start depends on a provider of capacity."""


EndedAttempt = TypedDict(
    "EndedAttempt",
    {
        # Id of the job; absent for a job that the caller may not read
        "job": NotRequired[str],
        # Index of the job, from 0; absent for a job that the caller may not read
        "index": NotRequired[int],
        # Number of the attempt of that index, from 1; absent for a job that the caller may not read
        "attempt": NotRequired[int],
        # Name of the job; absent for a job that the caller may not read
        "name": NotRequired[str],
        # Namespace of the job; absent for a job that the caller may not read
        "namespace": NotRequired[str],
        # Name of the LocalQueue of the job; absent for a job that the caller may not read
        "queue": NotRequired[str],
        # The ClusterQueue whose quota it used
        "clusterQueue": str,
        # When it was admitted
        "from": "Instant",
        # When it ended
        "to": "Instant",
        # Its outcome
        "outcome": str,
        # Amounts of quota when it ended, by flavor and resource
        "amounts": "list[QuotaAmount]",
        # Names of slices that it held when it ended; empty without slices
        "slices": list[str],
    },
)
"""The schema ``EndedAttempt``."""


class EventPage(TypedDict):
    """The schema ``EventPage``."""

    items: "list[WatchedEvent]"
    """The events, the oldest first; empty if none came in time."""
    nextAfter: str
    """Where the next page starts, for the parameter after; always present."""


class EvictionCost(TypedDict):
    """The schema ``EvictionCost``."""

    jobs: int
    """Number of jobs of which attempts are evicted."""
    evictions: int
    """Number of evicted attempts."""
    attemptHours: str
    """Hours for which the evicted attempts ran, a decimal number; a saved checkpoint makes the loss
    smaller.
    """
    deviceHours: str
    """The same, multiplied by the devices of each, a decimal number."""


class ExpectedFinish(TypedDict):
    """The schema ``ExpectedFinish``."""

    earliest: "Instant"
    """The beginning of the interval."""
    latest: "Instant"
    """The end of the interval."""


class ExportedJob(TypedDict):
    """The schema ``ExportedJob``."""

    id: str
    """Id of the job."""
    kind: str
    """Job."""
    namespace: str
    """Namespace of the job."""
    name: str
    """Name of the job."""
    state: str
    """State of the job."""
    cluster: NotRequired[str]
    """The cluster of its object; present of adopted jobs."""
    documents: NotRequired[list[dict[str, Any]]]
    """Its manifests for Kueue; present of written jobs."""
    reason: NotRequired[str]
    """Why Kueue cannot get it; present of jobs that are left."""


class ExportedJobs(TypedDict):
    """The schema ``ExportedJobs``."""

    complete: bool
    """false: there are more jobs than listed."""
    adopted: "list[ExportedJob]"
    """Jobs that are objects of a cluster."""
    written: "list[ExportedJob]"
    """Jobs with manifests for Kueue."""
    left: "list[ExportedJob]"
    """Jobs that Kueue cannot get."""


class FilledDefaults(TypedDict):
    """The schema ``FilledDefaults``."""

    computeClass: str
    """Name of the compute class."""
    queue: NotRequired[str]
    """The LocalQueue; absent if the job named its own."""
    priorityClass: NotRequired[str]
    """The WorkloadPriorityClass; absent if the class supplied none."""
    selectors: NotRequired[list[dict[str, Any]]]
    """Alternative selectors as in a manifest, the best first; absent if the class supplied none."""


class FlavorObstacle(TypedDict):
    """The schema ``FlavorObstacle``."""

    kind: str
    """Code of the obstacle."""
    podSet: str
    """Name of the pod set."""
    flavor: str
    """Name of the flavor; empty if no flavor covers the resource."""
    resource: str
    """Name of the resource."""
    unit: str
    """slices if the amounts are numbers of slices, otherwise quantity."""
    wanted: str
    """Required amount."""
    available: str
    """Amount that is available now."""
    most: str
    """Largest amount that the queue could ever get."""
    slicesLookedAt: NotRequired[int]
    """Number of slices whose hosts were compared with the pods' requirements; otherwise absent."""
    unmet: NotRequired[list[str]]
    """Requirements that hosts of some of these slices do not meet; absent without slicesLookedAt.
    """


class FlavorUsage(TypedDict):
    """The schema ``FlavorUsage``."""

    name: str
    """Name of the flavor."""
    resources: "list[ResourceUsage]"
    """Usage of its resources."""


class FleetCluster(TypedDict):
    """The schema ``FleetCluster``."""

    name: str
    """Name of the cluster."""
    nodes: int
    """Number of nodes."""
    unreachableSince: NotRequired["Instant"]
    """Since when the cluster does not answer; absent if it answers."""
    refused: NotRequired[dict[str, str]]
    """Node pools that are not part of the fleet, with the reasons, at most 100; absent if there are
    none.
    """
    incomplete: NotRequired[dict[str, str]]
    """Node pools with missing nodes, with the reasons, at most 100; absent if there are none."""


class FleetMap(TypedDict):
    """The schema ``FleetMap``."""

    revision: str
    """Names this answer; with the parameter revision, the next answer has only changes."""
    changes: bool
    """Whether the answer has only what has changed since a revision."""
    sliceCount: int
    """Number of slices of the fleet."""
    kinds: "list[SliceKind]"
    """Kinds of slices, to which the slices refer by index, from 0."""
    holders: "list[MapHolder]"
    """Attempts, to which the slices refer by index, from 0."""
    slices: "list[MapSlice]"
    """Slices by name, at most 20,000."""
    gone: NotRequired[list[str]]
    """Names of slices that have left the fleet since the revision; absent if there are none."""


class FleetOverview(TypedDict):
    """The schema ``FleetOverview``."""

    executor: str
    """The executor of the fleet's hosts."""
    hosts: int
    """Number of hosts, including those of slices."""
    hostsFailed: int
    """Number of hosts that have failed and have not returned."""
    sliceCount: "SliceCount"
    """Numbers of slices."""
    clusters: NotRequired["list[FleetCluster]"]
    """The clusters whose nodes form the fleet, as this server sees them; absent if no cluster does.
    """
    refused: NotRequired[dict[str, str]]
    """Hosts and slices left out because their names are taken, with the reasons, at most 100;
    absent if there are none.
    """
    slices: "list[SliceView]"
    """The slices of this page, by name."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class FormedSlice(TypedDict):
    """The schema ``FormedSlice``."""

    name: str
    """Name of the formed slice."""
    heldBy: "SliceHolder"
    """The attempt that holds it."""


class Group(TypedDict):
    """The schema ``Group``."""

    state: NotRequired[str]
    """State of the jobs; absent if not requested."""
    queue: NotRequired[str]
    """LocalQueue of the jobs, as namespace/name; absent if not requested."""
    clusterQueue: NotRequired[str]
    """ClusterQueue that the jobs were submitted to; absent if not requested."""
    namespace: NotRequired[str]
    """Namespace of the jobs; absent if not requested."""
    priorityClass: NotRequired[str]
    """Present priority class of the jobs, empty for jobs without one; absent if not requested."""
    team: NotRequired[str]
    """Team of the jobs: that of their namespace, else the label sluice.io/team of their LocalQueue,
    else their namespace; absent if not requested.
    """
    computeClass: NotRequired[str]
    """Compute class of the jobs, empty for jobs without one; absent if not requested."""
    label: NotRequired[str]
    """Value of the requested label, empty for jobs without it; absent if not requested."""
    blocker: NotRequired[str]
    """Blocker of the jobs, all of which wait; empty for jobs about which none is known, such as one
    that is being cancelled; absent if not requested.
    """
    count: int
    """Number of jobs, at least 1."""
    oldest: NotRequired["Instant"]
    """When the oldest of the jobs was submitted; absent from servers that do not tell."""


class HeldRole(TypedDict):
    """The schema ``HeldRole``."""

    role: str
    """Name of the role."""
    namespaces: list[str]
    """Namespaces of the role; * stands for all."""


class HostView(TypedDict):
    """The schema ``HostView``."""

    name: str
    """Name of the host."""
    condition: str
    """FAILED if the host has failed, otherwise the condition of its slice; READY without a slice.
    """
    labels: dict[str, str]
    """Labels of the host."""
    capacity: dict[str, str]
    """Capacity by resource, as quantities."""
    slice: NotRequired[str]
    """Its slice; absent if it is part of none."""
    capacityType: NotRequired[str]
    """Capacity type of its slice; absent without a slice."""
    heldBy: NotRequired["SliceHolder"]
    """The attempt that holds its slice; absent without a slice or a holder."""
    reason: NotRequired[str]
    """The problem of a node of a cluster; absent if there is none."""
    outside: NotRequired["OutsidePods"]
    """Pods on a node of a cluster that Sluice did not admit; absent if there are none."""


class InputSetAside(TypedDict):
    """The schema ``InputSetAside``."""

    input: int
    """Number of the input's row."""
    kind: str
    """Kind of the input as stored; empty if unknown."""
    reason: str
    """Why the leader cannot consume it, for people."""


class IssuedToken(TypedDict):
    """The schema ``IssuedToken``."""

    token: str
    """The token itself, for the header Authorization."""
    issued: "CallerToken"
    """The stored part of it."""


class JobAccepted(TypedDict):
    """The schema ``JobAccepted``."""

    id: str
    """Id of the job."""
    state: str
    """State of the job before the request."""


class JobAcknowledgement(TypedDict):
    """The schema ``JobAcknowledgement``."""

    id: str
    """Id of the job."""
    namespace: str
    """Namespace of the job."""
    name: str
    """Name of the job."""
    replayed: bool
    """Whether an earlier request with the same idempotency key stored the job."""
    defaults: NotRequired["FilledDefaults"]
    """Fields that the compute class filled in; absent if it filled in none."""
    timeLimit: NotRequired[str]
    """Time limit that the LocalQueue gave to the job; absent if the job has its own, or none."""


class JobAcknowledgements(TypedDict):
    """The schema ``JobAcknowledgements``."""

    jobs: "list[JobAcknowledgement]"
    """The jobs, in the order of the request."""


class JobCost(TypedDict):
    """The schema ``JobCost``."""

    estimated: str
    """Estimated cost, a decimal number in the currency of the compute class."""
    chipHours: str
    """Chip-hours with a price, a decimal number."""
    unpricedChipHours: NotRequired[str]
    """Chip-hours without a price, a decimal number; absent if there are none."""


class JobCounts(TypedDict):
    """The schema ``JobCounts``."""

    items: "list[Group]"
    """The groups that have jobs, ordered by their fields."""
    total: int
    """Number of jobs in all groups together."""


class JobEvent(TypedDict):
    """The schema ``JobEvent``."""

    sequence: int
    """Batch of the journal that holds the event."""
    position: int
    """Place of the event in that batch, from 0."""
    at: "Instant"
    """Time of the decision."""
    kind: str
    """Kind of the event."""
    text: str
    """The event as a sentence."""
    body: dict[str, Any]
    """The event as stored; its fields depend on the kind."""


class JobExpectedStart(TypedDict):
    """The schema ``JobExpectedStart``."""

    earliest: "Instant"
    """Start of the range, its 10th percentile."""
    latest: NotRequired["Instant"]
    """End of the range, its 90th percentile; absent if the job might not start at all."""
    confidence: float
    """Share of starts that are to be within their range, from 0 to 1."""


class JobExplanation(TypedDict):
    """The schema ``JobExplanation``."""

    id: str
    """Id of the job."""
    state: str
    """State of the job."""
    clusterQueue: str
    """The ClusterQueue of the job."""
    index: NotRequired[int]
    """The explained index, from 0: the next to admit; absent if the job does not wait."""
    blocker: NotRequired[str]
    """Code of the cause; absent if the job does not wait."""
    cure: NotRequired[str]
    """What ends the blocker: TIME, CAPACITY, QUOTA, PREEMPTION or USER; absent without a blocker.
    """
    reason: str
    """The reason as a sentence."""
    ahead: NotRequired[int]
    """Number of jobs of the ClusterQueue that are tried earlier; absent if the job does not wait.
    """
    until: NotRequired["Instant"]
    """When the blocker ends by itself; absent if it does not."""
    startsBy: NotRequired["Instant"]
    """When there would be room if all attempts in the way used all of their time; absent if that
    depends on work without a time limit.
    """
    plannedStart: NotRequired["JobPlannedStart"]
    """The planned start of the job; absent if it has none."""
    expectedStart: NotRequired["JobExpectedStart"]
    """When the job is estimated to start; absent if it does not wait, or if there is no estimate.
    """
    obstacles: NotRequired["list[FlavorObstacle]"]
    """The obstacle in each flavor that was tried; absent if the job does not wait."""
    rungs: NotRequired["list[RungView]"]
    """Rungs of the compute class that were tried; absent without a class."""
    hold: NotRequired["JobHold"]
    """The hold that keeps the job from running; absent if it is not held."""
    submitter: NotRequired["SubmitterLimit"]
    """Running jobs of the submitter; absent unless their limit is reached."""
    inTheWay: NotRequired["ListedAttemptInTheWay"]
    """Attempts that hold what the job needs, preferred victims first; the count is of all, the list
    of jobs that the caller may read; absent if the job does not wait.
    """
    othersInTheWay: NotRequired["list[OthersInTheWay]"]
    """Attempts among those that hold what the job needs, of jobs that the caller may not read, by
    ClusterQueue; absent if there are none.
    """
    smallestChange: NotRequired["NeededChange"]
    """The smallest change that would let the job start; absent if the job does not wait."""
    alternatives: NotRequired["list[Alternative]"]
    """Changes of the job itself, each of which would start it now; absent unless asked for with
    alternatives=true, or if none was found.
    """
    closedSlices: NotRequired["list[ClosedSlice]"]
    """Slices that cannot be offered because of their nodes; absent if there are none."""
    headStart: NotRequired["JobHeadStart"]
    """The head start of the job in its queue; absent if it has none or has ended."""
    run: NotRequired["RunPlace"]
    """The run that the job is part of; absent if it is part of none."""
    accelerators: NotRequired["AcceleratorUsage"]
    """Measured use of the chips of a running job; absent if nothing reports it."""


class JobGain(TypedDict):
    """The schema ``JobGain``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent as its id."""
    name: NotRequired[str]
    """Name of the job; absent as its id."""
    clusterQueue: str
    """The ClusterQueue of the job."""
    priority: int
    """Priority of the job."""
    indices: int
    """Number of additional indices."""
    given: str
    """What the first of them would be given, as a sentence."""


class JobHeadStart(TypedDict):
    """The schema ``JobHeadStart``."""

    time: str
    """The head start, an ISO 8601 duration."""
    by: str
    """The caller who gave it."""
    reason: str
    """The reason as a sentence."""
    since: "Instant"
    """When it took effect."""


class JobHold(TypedDict):
    """The schema ``JobHold``."""

    by: str
    """The caller who holds the job; sluice:quarantine if it lost its hosts too often."""
    since: "Instant"
    """Start of the hold."""


class JobIndex(TypedDict):
    """The schema ``JobIndex``."""

    job: str
    """Id of the job."""
    index: int
    """Index of the job, from 0."""


class JobIndices(TypedDict):
    """The schema ``JobIndices``."""

    count: int
    """Number of indices."""
    pending: int
    """Number of indices that wait to be admitted."""
    live: int
    """Number of indices with an attempt that has not ended."""
    ended: int
    """Number of indices that succeeded or failed."""
    failedCount: int
    """Number of indices that failed."""
    succeeded: str
    """Indices that succeeded, as ranges such as 0-3,7."""
    failed: str
    """Indices that failed, as ranges such as 0-3,7."""


class JobLimited(TypedDict):
    """The schema ``JobLimited``."""

    id: str
    """Id of the job."""
    state: str
    """State of the job before the request."""
    timeLimit: NotRequired[str]
    """The requested time limit; absent: none."""


class JobMetadata(TypedDict):
    """The schema ``JobMetadata``."""

    name: str
    """Name of the job."""
    namespace: str
    """Namespace of the job."""
    labels: NotRequired[dict[str, str]]
    """Labels; absent if there are none."""
    annotations: NotRequired[dict[str, str]]
    """Annotations; absent if there are none."""


class JobPlannedStart(TypedDict):
    """The schema ``JobPlannedStart``."""

    at: NotRequired["Instant"]
    """Latest time of the start; absent if an attempt in the way has no time limit: what becomes
    free is then kept for the job.
    """
    firm: bool
    """Whether the start is within the queue's own quota; otherwise it holds unless the owner of
    borrowed quota reclaims it.
    """
    flavors: list[str]
    """Flavors that the job will be given."""
    slices: list[str]
    """Slices that are kept for the job; empty without slices."""


class JobPrioritized(TypedDict):
    """The schema ``JobPrioritized``."""

    id: str
    """Id of the job."""
    state: str
    """State of the job before the request."""
    priorityClass: str
    """The new WorkloadPriorityClass."""
    priority: int
    """Value of that class at the time of the request."""


class JobStatus(TypedDict):
    """The schema ``JobStatus``."""

    state: str
    """SUBMITTED, PENDING, ADMITTED, RUNNING, DRAINING, SUCCEEDED, FAILED or CANCELLED."""
    blocker: NotRequired[str]
    """Code of the cause for which the job waits; absent if it does not wait."""
    cure: NotRequired[str]
    """What ends the blocker of an admitted job that does not start; otherwise absent."""
    reason: NotRequired[str]
    """The reason of the state as a sentence; absent if there is none."""
    rungs: NotRequired["list[RungView]"]
    """Rungs of the compute class that were tried; absent without a class, or if the job does not
    wait.
    """
    hold: NotRequired["JobHold"]
    """The hold of the job; absent if it is not held."""
    headStart: NotRequired["JobHeadStart"]
    """The head start of the job in its queue; absent if it has none."""
    plannedStart: NotRequired["JobPlannedStart"]
    """The planned start of a blocked job; absent if it has none."""
    expectedStart: NotRequired["JobExpectedStart"]
    """When the job is expected to start; absent if it does not wait, or nothing is estimated."""
    clusterQueue: str
    """The ClusterQueue, as at the submission."""
    priority: int
    """The priority that the job has in its queue."""
    preemptible: bool
    """Whether other jobs may evict the job."""
    createdAt: "Instant"
    """When the job was submitted."""
    submittedBy: NotRequired[str]
    """Name of the submitter; absent if unknown."""
    finishedAt: NotRequired["Instant"]
    """When the job ended; absent if it has not."""
    attempts: int
    """Number of attempts of all indices, counted up to 10,000."""
    progressAt: NotRequired["Instant"]
    """Time of the last progress; absent if none was reported."""
    progress: NotRequired[str]
    """Text of the last progress, which may be empty; absent if none was reported."""
    stalledSince: NotRequired["Instant"]
    """Since when the job makes no progress; absent if it is not stalled."""
    checkpoint: NotRequired[str]
    """The checkpoint for the next start; absent if there is none, and of an array."""
    indices: NotRequired["JobIndices"]
    """The indices of an array; otherwise absent."""
    accelerators: NotRequired["AcceleratorUsage"]
    """Measured use of the chips of a running job; absent if nothing reports it, and in lists."""
    cost: NotRequired["JobCost"]
    """Cost of the job so far; absent if it never ran on a rung with a price, and in lists."""


class JobView(TypedDict):
    """The schema ``JobView``."""

    apiVersion: str
    """Version of the manifest's schema."""
    kind: str
    """Job."""
    metadata: "JobMetadata"
    """Name, namespace, labels and annotations."""
    spec: dict[str, Any]
    """The spec as in a manifest; of a job of Kubernetes only its queue and priority class."""
    documents: NotRequired[list[dict[str, Any]]]
    """The objects of a job of Kubernetes, as submitted; absent for a job of Sluice's schema."""
    id: str
    """Id of the job."""
    status: "JobStatus"
    """What has become of the job so far."""


class JobWait(TypedDict):
    """The schema ``JobWait``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent as its id."""
    name: NotRequired[str]
    """Name of the job; absent as its id."""
    clusterQueue: str
    """The ClusterQueue of the job."""
    priority: int
    """Priority of the job."""
    indices: int
    """Number of indices fewer that would be admitted; 0 if the job waits anyway, and now for
    another change.
    """
    blocker: NotRequired[str]
    """Code of the cause; absent if there is no explanation."""
    reason: NotRequired[str]
    """The cause as a sentence; absent if there is no explanation, and for a job that the caller may
    not read.
    """


class JournalEvent(TypedDict):
    """The schema ``JournalEvent``."""

    kind: str
    """Kind of the event."""
    job: NotRequired[str]
    """Id of the job; absent if the event concerns none."""
    body: dict[str, Any]
    """The event as the journal stores it."""


class JournalOverview(TypedDict):
    """The schema ``JournalOverview``."""

    engineVersion: int
    """Version of the engine of this server."""
    first: NotRequired[int]
    """Sequence of the first batch that can be rechecked; absent without snapshots."""
    last: int
    """Sequence of the last batch that this server has."""
    snapshots: "list[JournalSnapshot]"
    """The snapshots of this page, the newest first."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class JournalSnapshot(TypedDict):
    """The schema ``JournalSnapshot``."""

    sequence: int
    """Sequence of the last batch that the snapshot includes."""
    takenAt: "Instant"
    """Start of the snapshot."""
    jobs: int
    """Number of jobs that had not ended."""
    bytes: int
    """Stored size in bytes, compressed."""


class KeptFor(TypedDict):
    """The schema ``KeptFor``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    name: NotRequired[str]
    """Name of the job; absent if the job has ended, or the caller may not read it."""
    rung: int
    """Number of the rung that the slice was granted for, from 1."""
    until: NotRequired["Instant"]
    """When the slice is given back if it is still unused; absent if there is no limit."""


class KueueController(TypedDict):
    """The schema ``KueueController``."""

    kind: str
    """Deployment."""
    namespace: NotRequired[str]
    """Namespace of the Deployment."""
    name: str
    """Name of the Deployment."""
    replicas: int
    """Number of its replicas."""


class KueueExported(TypedDict):
    """The schema ``KueueExported``."""

    objects: list[dict[str, Any]]
    """Manifests for Kueue, each after those that it names."""
    ours: "list[ObjectName]"
    """Objects of kinds that Kueue does not have."""
    jobs: "ExportedJobs"
    """The jobs that have not ended."""


class KueueImported(TypedDict):
    """The schema ``KueueImported``."""

    dryRun: bool
    """Whether nothing was stored."""
    results: "list[QuotaResult]"
    """The result for each object."""
    preview: NotRequired["EditPreview"]
    """The effects on queues and jobs; absent unless this is a dry run that finds nothing to refuse.
    """
    cluster: str
    """Name of the cluster."""
    version: str
    """Version of Kueue's schema in which its objects were read."""
    controllers: "list[KueueController]"
    """Deployments of Kueue's controller that run at least one pod."""
    webhooks: list[str]
    """Kueue's webhooks that the API server calls before it writes."""
    missing: list[str]
    """Kinds of Kueue that the cluster does not have."""
    left: "list[ObjectLeft]"
    """Objects that are not imported."""
    workloads: "KueueWorkloads"
    """The workloads of Kueue that have not ended."""


class KueueUsage(TypedDict):
    """The schema ``KueueUsage``."""

    clusterQueue: str
    """The ClusterQueue."""
    flavor: str
    """The flavor."""
    resource: str
    """The resource."""
    amount: str
    """The quota in use, a quantity."""


class KueueWorkload(TypedDict):
    """The schema ``KueueWorkload``."""

    kind: str
    """Workload."""
    namespace: NotRequired[str]
    """Namespace of the workload."""
    name: str
    """Name of the workload."""
    owner: str
    """The object that it stands for, such as Job/train; empty if none."""
    reason: str
    """Why it is not imported."""


class KueueWorkloads(TypedDict):
    """The schema ``KueueWorkloads``."""

    waiting: int
    """Number of workloads that wait, and whose owners are adopted."""
    held: int
    """Number of workloads that are adopted and held, as they are inactive in Kueue."""
    running: int
    """Number of workloads that run, and end under Kueue."""
    left: int
    """Number of workloads that are not imported."""
    first: "list[KueueWorkload]"
    """The first 100 workloads that run or are not imported."""
    usage: "list[KueueUsage]"
    """Quota that running workloads hold under Kueue."""
    placed: NotRequired[int]
    """Number of objects that have a place in the queue now and no job yet; absent if the import is
    refused.
    """
    here: NotRequired[int]
    """Number of waiting workloads that are jobs already; absent if the import is refused."""


class LatenessChange(TypedDict):
    """The schema ``LatenessChange``."""

    at: "Instant"
    """When it changed."""
    lateness: str
    """The lateness from then on."""
    message: str
    """The reason, for people."""


class ListedAffectedAttempt(TypedDict):
    """The schema ``ListedAffectedAttempt``."""

    count: int
    """Number of all entries."""
    first: "list[AffectedAttempt]"
    """The first entries, up to a fixed number."""


class ListedAttemptEviction(TypedDict):
    """The schema ``ListedAttemptEviction``."""

    count: int
    """Number of all entries."""
    first: "list[AttemptEviction]"
    """The first entries, up to a fixed number."""


class ListedAttemptInTheWay(TypedDict):
    """The schema ``ListedAttemptInTheWay``."""

    count: int
    """Number of all entries."""
    first: "list[AttemptInTheWay]"
    """The first entries, up to a fixed number."""


class ListedJobGain(TypedDict):
    """The schema ``ListedJobGain``."""

    count: int
    """Number of all entries."""
    first: "list[JobGain]"
    """The first entries, up to a fixed number."""


class ListedJobWait(TypedDict):
    """The schema ``ListedJobWait``."""

    count: int
    """Number of all entries."""
    first: "list[JobWait]"
    """The first entries, up to a fixed number."""


class ListedQueueChange(TypedDict):
    """The schema ``ListedQueueChange``."""

    count: int
    """Number of all entries."""
    first: "list[QueueChange]"
    """The first entries, up to a fixed number."""


class ListedQuotaExcess(TypedDict):
    """The schema ``ListedQuotaExcess``."""

    count: int
    """Number of all entries."""
    first: "list[QuotaExcess]"
    """The first entries, up to a fixed number."""


class ListedSimulatedJob(TypedDict):
    """The schema ``ListedSimulatedJob``."""

    count: int
    """Number of all entries."""
    first: "list[SimulatedJob]"
    """The first entries, up to a fixed number."""


class LocalQueueFairSharing(TypedDict):
    """The schema ``LocalQueueFairSharing``."""

    admissionFairSharingStatus: "DecayedUsage"
    """The usage."""


class LossConfirmed(TypedDict):
    """The schema ``LossConfirmed``."""

    id: str
    """Id of the job."""
    index: int
    """Index of the job, from 0."""
    attempt: int
    """Number of the attempt of that index, from 1."""


class Manifest(TypedDict):
    """A manifest as in docs/reference/manifests.

    YAML may hold several documents; a list of kind List holds several in either form.
    """

    apiVersion: str
    """The group and version of the schema, as sluice.io/v1."""
    kind: str
    """The kind of the object, as Job."""
    metadata: NotRequired[dict[str, Any]]
    """Name, namespace, labels and annotations."""
    spec: NotRequired[dict[str, Any]]
    """What is wanted; its fields depend on the kind."""


class MapHolder(TypedDict):
    """The schema ``MapHolder``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    name: NotRequired[str]
    """Name of the job; absent for a job that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent for a job that the caller may not read."""
    team: NotRequired[str]
    """Team of the job: that of its namespace, else the label sluice.io/team of its LocalQueue, else
    its namespace; absent for a job that the caller may not read.
    """
    clusterQueue: str
    """The ClusterQueue that the attempt was admitted by."""
    state: str
    """State of the attempt."""


class MapSlice(TypedDict):
    """The schema ``MapSlice``."""

    name: str
    """Name of the slice."""
    kind: int
    """Index of its kind."""
    condition: NotRequired[str]
    """ABSENT or LEAVING; absent: it is ready."""
    failed: NotRequired[bool]
    """True if one of its hosts has failed; else absent."""
    kept: NotRequired[bool]
    """True if it is kept for the job that it was granted for; else absent."""
    claimed: NotRequired[bool]
    """True if it is being cleared for a job that the caller may read; else absent."""
    partly: NotRequired[bool]
    """True if the holders hold parts of it only; else absent."""
    holders: NotRequired[list[int]]
    """Indices of the attempts that hold it; absent if none does."""


class NamedObject(TypedDict):
    """The schema ``NamedObject``."""

    kind: str
    """Kind of the object."""
    namespace: str
    """Namespace of the object."""
    name: str
    """Name of the object."""
    id: NotRequired[str]
    """Id of the object; absent if its kind has no ids."""
    state: NotRequired[str]
    """State of the object; absent if its kind has no states."""
    createdAt: "Instant"
    """When the object was created."""
    otherLiveJobs: NotRequired[int]
    """Number of other live jobs of this name in the namespace, counted up to a limit; absent if
    there are none, for a change, and for other kinds.
    """


class NeededChange(TypedDict):
    """The schema ``NeededChange``."""

    kind: str
    """WAIT: only time is needed. NONE: no addition helps. UNKNOWN: the search reached its limits.
    ALL_OF: all parts are needed. Otherwise the kind of the only part.
    """
    subject: NotRequired[str]
    """The flavor, queue, namespace, class or job to change; absent unless there is one part."""
    resource: NotRequired[str]
    """Resource of the quota to add; absent for other kinds."""
    amount: NotRequired[str]
    """Amount to add: a quantity of the resource, or a number of slices, pods or jobs; absent if the
    change has no amount.
    """
    parts: NotRequired["list[ChangePart]"]
    """Changes that are needed together; absent unless the kind is ALL_OF."""


class ObjectLeft(TypedDict):
    """The schema ``ObjectLeft``."""

    kind: str
    """Kind of the object."""
    namespace: NotRequired[str]
    """Namespace of the object; absent if its kind has none."""
    name: str
    """Name of the object."""
    reason: str
    """Why it is not imported."""


class ObjectName(TypedDict):
    """The schema ``ObjectName``."""

    kind: str
    """Kind of the object."""
    namespace: NotRequired[str]
    """Namespace of the object; absent if its kind has none."""
    name: str
    """Name of the object."""


class OthersInTheWay(TypedDict):
    """The schema ``OthersInTheWay``."""

    clusterQueue: str
    """The ClusterQueue of the jobs."""
    attempts: int
    """Number of the attempts."""
    latestEnd: NotRequired["Instant"]
    """When the last of them ends at the latest; absent if one of them has neither time limit nor
    lease.
    """


class OutsidePods(TypedDict):
    """The schema ``OutsidePods``."""

    count: int
    """Number of pods."""
    pods: list[str]
    """Names of the first five pods; those with chips come first. Empty for a caller that may not
    read all namespaces.
    """
    requests: dict[str, str]
    """Requests of all these pods by resource, as quantities."""


class PageAttemptView(TypedDict):
    """The schema ``PageAttemptView``."""

    items: "list[AttemptView]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageAuditRecord(TypedDict):
    """The schema ``PageAuditRecord``."""

    items: "list[AuditRecord]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageBackfill(TypedDict):
    """The schema ``PageBackfill``."""

    items: "list[Backfill]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageCallerSession(TypedDict):
    """The schema ``PageCallerSession``."""

    items: "list[CallerSession]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageCallerToken(TypedDict):
    """The schema ``PageCallerToken``."""

    items: "list[CallerToken]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageEndedAttempt(TypedDict):
    """The schema ``PageEndedAttempt``."""

    items: "list[EndedAttempt]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageHostView(TypedDict):
    """The schema ``PageHostView``."""

    items: "list[HostView]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageJobEvent(TypedDict):
    """The schema ``PageJobEvent``."""

    items: "list[JobEvent]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageJobView(TypedDict):
    """The schema ``PageJobView``."""

    items: "list[JobView]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PagePipelineSchedule(TypedDict):
    """The schema ``PagePipelineSchedule``."""

    items: "list[PipelineSchedule]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PagePlanEntry(TypedDict):
    """The schema ``PagePlanEntry``."""

    items: "list[PlanEntry]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageQueueAccuracy(TypedDict):
    """The schema ``PageQueueAccuracy``."""

    items: "list[QueueAccuracy]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageRun(TypedDict):
    """The schema ``PageRun``."""

    items: "list[Run]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageSavedPipeline(TypedDict):
    """The schema ``PageSavedPipeline``."""

    items: "list[SavedPipeline]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageSliceAllocation(TypedDict):
    """The schema ``PageSliceAllocation``."""

    items: "list[SliceAllocation]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageSliceHistoryEntry(TypedDict):
    """The schema ``PageSliceHistoryEntry``."""

    items: "list[SliceHistoryEntry]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PageSliceView(TypedDict):
    """The schema ``PageSliceView``."""

    items: "list[SliceView]"
    """The entries of this page."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""


class PendingWorkload(TypedDict):
    """The schema ``PendingWorkload``."""

    metadata: "WorkloadMetadata"
    """Names of the job."""
    priority: int
    """Priority of the job."""
    localQueueName: str
    """The LocalQueue of the job."""
    positionInClusterQueue: int
    """Number of jobs before it in the ClusterQueue."""
    positionInLocalQueue: int
    """Number of jobs of its LocalQueue before it in the ClusterQueue."""


class PendingWorkloadsSummary(TypedDict):
    """The schema ``PendingWorkloadsSummary``."""

    kind: str
    """PendingWorkloadsSummary."""
    apiVersion: str
    """Version of the format, as in the path."""
    metadata: dict[str, Any]
    """Empty, as in Kueue."""
    items: "list[PendingWorkload]"
    """The pending jobs, the head first."""


class Permission(TypedDict):
    """The schema ``Permission``."""

    allowed: bool
    """Whether the caller may do it."""
    reason: str
    """Why, or why not, in one sentence."""


class PipelineDeletion(TypedDict):
    """The schema ``PipelineDeletion``."""

    dryRun: bool
    """True: nothing was deleted."""
    results: "list[Result]"
    """The pipeline that would be deleted."""
    preview: "Preview"
    """The effects on jobs: none."""


class PipelineSchedule(TypedDict):
    """The schema ``PipelineSchedule``."""

    namespace: str
    """The namespace of the pipeline."""
    pipeline: str
    """The name of the pipeline."""
    name: str
    """The name of the schedule in its pipeline."""
    cron: str
    """The cron line."""
    timeZone: str
    """The time zone of the cron line."""
    concurrencyPolicy: str
    """What happens if the previous run has not ended."""
    misfirePolicy: str
    """What happens to times that were missed."""
    paused: bool
    """Whether it is paused and does not fire."""
    savedBy: str
    """The user that saved it, who owns its runs."""
    consideredTo: "Instant"
    """The time up to which all its logical times were handled."""
    nextTime: NotRequired["Instant"]
    """The next logical time; absent while it is paused, and if it will not fire again."""
    dueAt: NotRequired["Instant"]
    """When that time fires, jitter included; absent in the same cases."""
    missed: int
    """The number of missed fires that were not made up for."""
    missedAt: NotRequired["Instant"]
    """The last of them; absent if there was none."""
    missedReason: NotRequired[str]
    """Why the last of them was missed; absent if there was none."""
    upcoming: NotRequired[list[str]]
    """The next logical times; absent in lists."""


class PlanAmount(TypedDict):
    """The schema ``PlanAmount``."""

    flavor: str
    """Name of the flavor."""
    resource: str
    """Name of the resource."""
    amount: str
    """Amount, a quantity."""


class PlanEntry(TypedDict):
    """The schema ``PlanEntry``."""

    kind: str
    """running: an attempt that has not ended. promised: the planned start of a blocked job.
    expected: an estimate for a job without a planned start. booked: kept for a ClusterQueue by a
    booking. absent: taken away by an outage.
    """
    job: NotRequired[str]
    """Id of the job; absent of a booking or an outage, and for a job that the caller may not read.
    """
    namespace: NotRequired[str]
    """Namespace of the job; absent as its id."""
    name: NotRequired[str]
    """Name of the job, booking or outage; absent for a job that the caller may not read."""
    index: NotRequired[int]
    """Index of the job, from 0; absent unless the kind is running."""
    attempt: NotRequired[int]
    """Number of the attempt of that index, from 1; absent unless the kind is running."""
    state: NotRequired[str]
    """State of the attempt; absent unless the kind is running."""
    queue: NotRequired[str]
    """The LocalQueue of the job; absent as its id."""
    clusterQueue: NotRequired[str]
    """The ClusterQueue whose quota is used; absent of an outage."""
    priority: NotRequired[int]
    """Priority of the job; absent of a booking or an outage."""
    start: NotRequired["Instant"]
    """When it started or was admitted, when it starts at the latest, or the median of its expected
    start; absent if an attempt in the way has no time limit.
    """
    end: NotRequired["Instant"]
    """Its latest end, of an expected start that after its median; absent without a time limit."""
    firm: NotRequired[bool]
    """Whether a planned start is within the queue's own quota; absent unless the kind is promised.
    """
    expected: NotRequired["JobExpectedStart"]
    """The range of an expected start; absent unless the kind is expected."""
    amounts: "list[PlanAmount]"
    """Amounts of quota, by flavor and resource."""
    slices: list[str]
    """Names of slices; empty without slices."""


class PodDomain(TypedDict):
    """The schema ``PodDomain``."""

    count: int
    """Number of pods."""
    values: list[str]
    """The value of each level."""


class PodSet(TypedDict):
    """The schema ``PodSet``."""

    name: str
    """The name of the pod set."""
    count: int
    """The number of pods."""
    requests: dict[str, str]
    """What each pod requests, by resource."""


class PodTopology(TypedDict):
    """The schema ``PodTopology``."""

    levels: list[str]
    """Labels of nodes that the values of a domain belong to."""
    perPod: dict[str, int]
    """Amounts that one pod uses, by resource, in the units of usage."""
    domains: "list[PodDomain]"
    """The domains with pods."""


class Preview(TypedDict):
    """The schema ``Preview``."""

    complete: bool
    """Whether all effects are listed."""


class Problem(TypedDict):
    """The schema ``Problem``."""

    type: str
    """The page about this kind of problem: a path of the server that answered."""
    code: str
    """The kind of the problem, for programs; the last part of type."""
    title: str
    """The kind of the problem, for people."""
    status: int
    """The HTTP status of the answer."""
    detail: str
    """One sentence about this request; with violations, the first of them."""
    violations: NotRequired["list[Violation]"]
    """The fields at fault; absent if the problem is not about fields."""


class QueueAccuracy(TypedDict):
    """The schema ``QueueAccuracy``."""

    clusterQueue: str
    """Name of the ClusterQueue."""
    starts: int
    """Number of jobs that started after an expected start was stated."""
    confidence: float
    """Share of the starts that are to be within their range, from 0 to 1."""
    inRange: float
    """Share of the starts that were within their range, from 0 to 1."""
    early: float
    """Share of the starts that were before their range, from 0 to 1."""
    medianWaitSeconds: float
    """Median of the waits after the statement, in seconds."""
    medianErrorSeconds: float
    """Median of the differences between wait and stated median, without sign, in seconds."""


class QueueChange(TypedDict):
    """The schema ``QueueChange``."""

    name: str
    """Name of the ClusterQueue."""
    resources: "list[ResourceChange]"
    """Resources whose amounts would change."""


class QueueStatus(TypedDict):
    """The schema ``QueueStatus``."""

    pendingWorkloads: NotRequired[int]
    """Number of pending jobs."""
    admittedWorkloads: NotRequired[int]
    """Number of live attempts."""
    accelerators: NotRequired["AcceleratorUsage"]
    """Accelerator use of the jobs of a ClusterQueue; absent if none is observed."""
    flavorsUsage: NotRequired["list[FlavorUsage]"]
    """Usage of a ClusterQueue by flavor, in the order of its resource groups; absent of a
    LocalQueue.
    """
    fairSharing: NotRequired["LocalQueueFairSharing"]
    """Usage of a LocalQueue; absent unless LocalQueues are ordered by usage."""


class QuotaAmount(TypedDict):
    """The schema ``QuotaAmount``."""

    flavor: str
    """Name of the flavor."""
    resource: str
    """Name of the resource."""
    amount: str
    """Amount, a quantity."""


class QuotaAmounts(TypedDict):
    """The schema ``QuotaAmounts``."""

    nominal: str
    """Nominal quota, a quantity."""
    most: str
    """Largest possible usage with all borrowing, a quantity."""
    used: str
    """Usage, a quantity."""


class QuotaExcess(TypedDict):
    """The schema ``QuotaExcess``."""

    kind: str
    """ClusterQueue or Cohort."""
    name: str
    """Name of the ClusterQueue or Cohort."""
    flavor: str
    """Name of the flavor."""
    resource: str
    """Name of the resource."""
    most: str
    """Quota of the subtree plus what it may borrow, a quantity."""
    used: str
    """Usage, a quantity."""
    by: str
    """Usage beyond the limit, a quantity."""
    byWithout: str
    """Usage beyond the limit without the edit, a quantity."""
    attempts: "ListedAffectedAttempt"
    """Attempts that would be evicted first, until the excess is covered."""


class QuotaMetadata(TypedDict):
    """The schema ``QuotaMetadata``."""

    name: str
    """Name of the object."""
    namespace: NotRequired[str]
    """Namespace of the object; absent if its kind has none."""
    labels: NotRequired[dict[str, str]]
    """Labels of the object; absent if it has none."""
    annotations: NotRequired[dict[str, str]]
    """Annotations of the object; absent if it has none."""
    generation: int
    """1 at its creation, increased by each change."""
    creationTimestamp: "Instant"
    """When the object was created."""


class QuotaObjectPage(TypedDict):
    """The schema ``QuotaObjectPage``."""

    items: "list[QuotaObjectView]"
    """The objects of this page, by namespace and name."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""
    warnings: NotRequired[list[str]]
    """On the first page of ClusterQueues: where nominal quota exceeds the fleet, at most 20; absent
    if it does not.
    """


class QuotaObjectView(TypedDict):
    """The schema ``QuotaObjectView``."""

    apiVersion: str
    """Version of the manifest's schema."""
    kind: str
    """Kind of the object."""
    metadata: "QuotaMetadata"
    """Names and labels of the object, and its generation."""
    spec: NotRequired[dict[str, Any]]
    """The object's specification, as in its manifest; absent of a WorkloadPriorityClass."""
    value: NotRequired[int]
    """Of a WorkloadPriorityClass: jobs with a higher value are served first; absent otherwise."""
    description: NotRequired[str]
    """Of a WorkloadPriorityClass: its description; absent if it has none."""
    status: NotRequired["QueueStatus"]
    """Present of a ClusterQueue and a LocalQueue: their jobs and usage."""
    warnings: NotRequired[list[str]]
    """What is allowed but likely a mistake; absent if there is nothing."""


class QuotaResult(TypedDict):
    """The schema ``QuotaResult``."""

    kind: str
    """Kind of the object."""
    namespace: NotRequired[str]
    """Namespace of the object; absent if its kind has none."""
    name: str
    """Name of the object."""
    result: str
    """created, configured, unchanged or deleted; in the dry run of an import that cannot be
    written: in order or refused.
    """
    reason: NotRequired[str]
    """Why the object is refused; absent otherwise."""


class RecheckDifference(TypedDict):
    """The schema ``RecheckDifference``."""

    sequence: int
    """Sequence of the batch."""
    position: int
    """Position of the event in its batch, from 0."""
    recorded: "JournalEvent | None"
    """The recorded event; null if the batch has none at that position."""
    recomputed: "JournalEvent | None"
    """The event as decided again; null if none was decided there."""


RecheckResult = TypedDict(
    "RecheckResult",
    {
        # Sequence of the first batch
        "from": int,
        # Sequence of the last batch that was decided again; at most that of the first difference
        "to": int,
        # Sequence of the snapshot that the recheck started from
        "snapshot": int,
        # Whether all decisions were the same
        "same": bool,
        # The first difference; absent if there is none
        "difference": NotRequired["RecheckDifference"],
        # Sequence to continue at; absent if no more batches were requested
        "next": NotRequired[int],
    },
)
"""The schema ``RecheckResult``."""


class ResizeCause(TypedDict):
    """The schema ``ResizeCause``."""

    by: NotRequired["JobIndex"]
    """The index that takes slices back; otherwise absent."""
    cause: str
    """REPAIRED, HOST_REPLACED, RECLAIMED, HOST_LOST, TAKEN_BACK or GROWN."""
    notice: NotRequired[str]
    """Time after which the slices that it lets go of are gone, an ISO 8601 duration; absent if they
    stay.
    """
    message: str
    """The cause as a sentence; may be empty."""


ResourceChange = TypedDict(
    "ResourceChange",
    {
        # Name of the flavor
        "flavor": str,
        # Name of the resource
        "name": str,
        # The amounts without the edit
        "without": "QuotaAmounts",
        # The amounts with the edit
        "with": "QuotaAmounts",
    },
)
"""The schema ``ResourceChange``."""


class ResourceUsage(TypedDict):
    """The schema ``ResourceUsage``."""

    name: str
    """Name of the resource."""
    nominal: str
    """Nominal quota, a quantity."""
    total: str
    """Quota in use, a quantity."""
    borrowed: str
    """Part of the quota in use that exceeds the nominal quota, a quantity."""


class Result(TypedDict):
    """The schema ``Result``."""

    kind: str
    """The kind of the object."""
    namespace: str
    """The namespace of the object."""
    name: str
    """The name of the object."""
    result: str
    """What the deletion would do: deleted."""


class Run(TypedDict):
    """The schema ``Run``."""

    id: str
    """The id of the run."""
    name: str
    """The pipeline's name and the number of the run."""
    namespace: str
    """The namespace of the pipeline and its jobs."""
    pipeline: str
    """The name of the pipeline."""
    version: int
    """The version of the pipeline that runs."""
    schedule: NotRequired[str]
    """The schedule that started it; absent: a user did."""
    logicalTime: "Instant"
    """The time that the run is about."""
    state: str
    """QUEUED, RUNNING, SUCCEEDED, FAILED, CANCELLED or SKIPPED."""
    reason: NotRequired[str]
    """Why it ended so; absent if there is nothing to say."""
    createdBy: str
    """The user that started it, or that saved its schedule."""
    createdAt: "Instant"
    """When it was created."""
    startedAt: NotRequired["Instant"]
    """When its first step started; absent before."""
    endedAt: NotRequired["Instant"]
    """When it ended; absent before."""
    deadline: NotRequired["Instant"]
    """When it has to have ended; absent without a deadline."""
    expectedFinish: NotRequired["ExpectedFinish"]
    """When it is expected to end, by the durations of earlier runs; absent if unknown."""
    lateness: NotRequired[str]
    """How the expected end compares with the deadline; absent if either is unknown."""
    parameters: NotRequired[dict[str, Any]]
    """The values of its parameters by name; only in a single run."""
    latenessChanges: NotRequired["list[LatenessChange]"]
    """The changes of its lateness, oldest first; only in a single run."""
    steps: NotRequired["list[RunStep]"]
    """Its steps in the order of the pipeline, the exit handler last; only in a single run."""


class RunPlace(TypedDict):
    """The schema ``RunPlace``."""

    id: str
    """Id of the run."""
    name: str
    """Name of the run, as in nightly-3."""
    deadline: NotRequired["Instant"]
    """Deadline of the run; absent if it has none."""
    expectedFinish: NotRequired["ExpectedFinish"]
    """When the run is expected to end; absent if unknown, or if it has ended."""
    lateness: NotRequired[str]
    """How the run stands to its deadline; absent if unknown or without a deadline."""


class RunRequest(TypedDict):
    """The schema ``RunRequest``."""

    parameters: NotRequired[dict[str, Any]]
    """Values of the pipeline's parameters by name; absent: the defaults."""
    logicalTime: NotRequired["Instant"]
    """The time that the run is about; absent: now."""


class RunStep(TypedDict):
    """The schema ``RunStep``."""

    name: str
    """The name of the step."""
    state: NotRequired[str]
    """The state of the step; PENDING while all its jobs wait for admission."""
    reason: NotRequired[str]
    """Why it failed, was skipped or waits; absent if there is no reason."""
    dependsOn: NotRequired[list[Any]]
    """The steps that it depends on: a name if that step has to succeed, else an object with step
    and when.
    """
    exitHandler: NotRequired[bool]
    """True for the exit handler; else absent."""
    startedAt: NotRequired["Instant"]
    """When it started; absent before."""
    endedAt: NotRequired["Instant"]
    """When it ended; absent before."""
    parts: NotRequired["list[Try]"]
    """All tries of its parts, in order."""


class RungView(TypedDict):
    """The schema ``RungView``."""

    rung: int
    """Number of the rung, from 1."""
    capacityType: str
    """Capacity type of the rung, as in a manifest."""
    standing: str
    """ROOM, CAPACITY_LACKS, QUOTA_LACKS, CLOSED or NO_FLAVOR."""
    since: NotRequired["Instant"]
    """Start of the wait for capacity; absent if the job waits for none."""
    until: NotRequired["Instant"]
    """When the rung closes for lack of capacity, or may be tried again; absent without such a time.
    """
    pricePerChipHour: NotRequired[str]
    """Price of a chip for an hour, a decimal number in the currency of the class; absent if
    unknown.
    """


class SavedPipeline(TypedDict):
    """The schema ``SavedPipeline``."""

    apiVersion: str
    """The version of the manifest's schema."""
    kind: str
    """Pipeline."""
    metadata: dict[str, Any]
    """Name, namespace and labels, as in the manifest."""
    spec: dict[str, Any]
    """The manifest's spec; default values are omitted."""
    status: "Status"
    """The server's knowledge of the pipeline."""
    warnings: NotRequired[list[str]]
    """Objects that must exist before its runs succeed; absent if none is missing."""


class ServerState(TypedDict):
    """The schema ``ServerState``."""

    version: str
    """Version of the server."""
    pid: int
    """Id of its process."""
    role: str
    """leader or follower; a leader whose lease is about to expire is a follower."""
    epoch: NotRequired[int]
    """Epoch of the leader; absent if there has been no leader."""
    leader: NotRequired[str]
    """URL of the leader; absent if it is not known."""
    sequence: int
    """Sequence of the last batch that this server has."""
    inputsSetAside: NotRequired[int]
    """Number of inputs that this leader leaves unconsumed; absent if there are none."""
    oldestSetAside: NotRequired["list[InputSetAside]"]
    """The oldest ten of these inputs; absent if there are none."""


class SignInProvider(TypedDict):
    """The schema ``SignInProvider``."""

    issuer: NotRequired[str]
    """Issuer of the identity provider (OpenID Connect); absent: there is none."""
    clientId: NotRequired[str]
    """Client that Sluice is at the identity provider."""


class SimulatedJob(TypedDict):
    """The schema ``SimulatedJob``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the changes submit, and for one that the caller may not
    read.
    """
    namespace: NotRequired[str]
    """Namespace of the job; absent for a job that the caller may not read."""
    name: NotRequired[str]
    """Name of the job; absent for a job that the caller may not read."""
    clusterQueue: str
    """The ClusterQueue of the job."""
    priority: int
    """Priority of the job."""
    effect: str
    """starts: only with the changes. earlier, later: by delaySeconds. never: not by the end of the
    comparison. displaced: more of its attempts are evicted. spared: fewer are. unknown: it
    depends on a provider of capacity. unchanged: none of these.
    """
    running: bool
    """Whether an index of it runs at the beginning."""
    before: NotRequired["Instant"]
    """Its next start without the changes; absent if there is none by the end, or if it depends on a
    provider of capacity.
    """
    after: NotRequired["Instant"]
    """Its next start with the changes, of a displaced job its restart; absent as before is."""
    delaySeconds: NotRequired[int]
    """Seconds by which it starts later, negative if earlier; absent unless it starts in both."""
    evictions: int
    """Number of its attempts that are evicted with the changes."""
    evictedAt: NotRequired["Instant"]
    """When the first of them is evicted; absent without evictions."""
    evictedFor: NotRequired[str]
    """Name of the job for which it is evicted; absent if it is no preemption, and for a job that
    the caller may not read.
    """
    deviceHours: NotRequired[str]
    """Device-hours for which its evicted attempts ran, a decimal number; absent without evictions.
    """


SimulationAnswer = TypedDict(
    "SimulationAnswer",
    {
        # The batch of the journal that the simulation starts from
        "asOf": int,
        # Virtual time at the beginning
        "begin": "Instant",
        # Virtual time up to which the futures are compared
        "until": "Instant",
        # true: a bound of time or memory stopped the simulation before its horizon
        "truncated": bool,
        # What the dates assume, as sentences
        "assumption": str,
        # Number of jobs by effect
        "counts": "EffectCounts",
        # Evictions until then without the changes
        "without": "EvictionCost",
        # Evictions until then with the changes
        "with": "EvictionCost",
        # The submitted jobs and those with another time limit, then the other affected jobs:
        # displaced ones first, then by how much later they start
        "jobs": "ListedSimulatedJob",
    },
)
"""The schema ``SimulationAnswer``."""


SliceAllocation = TypedDict(
    "SliceAllocation",
    {
        # Name of the slice
        "slice": str,
        # Accelerator type of the slice; absent if the present fleet has no such slice
        "type": NotRequired[str],
        # Topology of its chips, such as 4x4; absent if the present fleet has no such slice
        "topology": NotRequired[str],
        # Number of its chips; if the present fleet has no such slice, the chips that the attempt
        # was given on it, or absent if it was given none
        "chips": NotRequired[int],
        # Id of the job; absent for a job that the caller may not read
        "job": NotRequired[str],
        # Index of the job, from 0; absent for a job that the caller may not read
        "index": NotRequired[int],
        # Number of the attempt of that index, from 1; absent for a job that the caller may not read
        "attempt": NotRequired[int],
        # Name of the job; absent for a job that the caller may not read
        "name": NotRequired[str],
        # Namespace of the job; absent for a job that the caller may not read
        "namespace": NotRequired[str],
        # Name of the LocalQueue of the job; absent for a job that the caller may not read
        "queue": NotRequired[str],
        # The caller that submitted the job; absent if unknown, and for a job that the caller may
        # not read
        "submittedBy": NotRequired[str],
        # The present team of the job: the team of its namespace, else the label sluice.io/team of
        # its LocalQueue, else the namespace; absent for a job that the caller may not read
        "team": NotRequired[str],
        # Present priority class of the job; absent if it has none, and for a job that the caller
        # may not read
        "priorityClass": NotRequired[str],
        # The ClusterQueue that the attempt was admitted by
        "clusterQueue": str,
        # Start of the allocation
        "from": "Instant",
        # End of the allocation; absent while it lasts
        "to": NotRequired["Instant"],
        # Outcome of the attempt; absent until it has ended
        "outcome": NotRequired[str],
    },
)
"""The schema ``SliceAllocation``."""


class SliceCount(TypedDict):
    """The schema ``SliceCount``."""

    all: int
    """All slices."""
    ready: int
    """Slices that are neither absent nor leaving."""
    leaving: int
    """Slices that their provider is reclaiming."""
    absent: int
    """Slices that are not available."""
    held: int
    """Slices that attempts hold, wholly or in part."""
    kept: int
    """Slices that are kept for the jobs that they were granted for."""


class SliceHistoryEntry(TypedDict):
    """The schema ``SliceHistoryEntry``."""

    sequence: int
    """Sequence of the batch of the allocation or event."""
    at: "Instant"
    """Time of the batch."""
    kind: str
    """Held for an allocation, otherwise the kind of the event."""
    text: str
    """The entry as a sentence, for people."""
    job: NotRequired[str]
    """Id of the job; absent if the event concerns none, or one that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent as its id."""
    name: NotRequired[str]
    """Name of the job; absent as its id."""
    index: NotRequired[int]
    """Index of the job, from 0; absent as its id."""
    attempt: NotRequired[int]
    """Number of the attempt of that index, from 1; absent as the id of the job."""
    fromGeneration: NotRequired[int]
    """First generation of the attempt that held the slice; absent of an event."""
    toGeneration: NotRequired[int]
    """Last generation of the attempt that held it; absent while the allocation lasts."""
    toSequence: NotRequired[int]
    """Sequence of the batch that ended the allocation; absent while it lasts."""
    to: NotRequired["Instant"]
    """End of the allocation; absent while it lasts."""
    outcome: NotRequired[str]
    """Outcome of the attempt; absent until it has ended."""


class SliceHolder(TypedDict):
    """The schema ``SliceHolder``."""

    job: NotRequired[str]
    """Id of the job; absent for a job that the caller may not read."""
    index: NotRequired[int]
    """Index of the job, from 0; absent for a job that the caller may not read."""
    attempt: NotRequired[int]
    """Number of the attempt of that index, from 1; absent for a job that the caller may not read.
    """
    generation: int
    """Present generation of the attempt, from 1."""
    name: NotRequired[str]
    """Name of the job; absent for a job that the caller may not read."""
    namespace: NotRequired[str]
    """Namespace of the job; absent for a job that the caller may not read."""
    clusterQueue: str
    """The ClusterQueue that the attempt was admitted by."""
    state: str
    """State of the attempt."""
    since: "Instant"
    """Start of the use: of a slice its allocation, of a host its admission."""
    until: "Instant | None"
    """Latest end of the use: start, time limit and grace period; null without a time limit."""
    sinceGeneration: NotRequired[int]
    """Generation of the attempt that the slice was allocated to; absent of a host."""


class SliceKind(TypedDict):
    """The schema ``SliceKind``."""

    type: str
    """Accelerator type."""
    topology: str
    """Topology of the chips of a slice, such as 4x4."""
    chips: int
    """Number of chips of a slice."""
    capacityType: str
    """Capacity type, as in a fleet's manifest."""


class SliceView(TypedDict):
    """The schema ``SliceView``."""

    name: str
    """Name of the slice."""
    type: str
    """Accelerator type."""
    topology: str
    """Topology of its chips, such as 4x4."""
    chips: int
    """Number of chips."""
    capacityType: str
    """Capacity type, as in a fleet's manifest."""
    block: NotRequired[str]
    """Slices of one block can be joined to larger ones; absent: this one cannot."""
    parts: NotRequired[list[str]]
    """Topologies of the smaller slices that can be cut from it, from small to large; absent if it
    is not divisible.
    """
    condition: str
    """READY, ABSENT or LEAVING."""
    leavesAt: NotRequired["Instant"]
    """When a leaving slice will be gone; absent without notice."""
    keptFor: NotRequired["KeptFor"]
    """The job that the slice was granted for; absent if it is not kept."""
    hosts: list[str]
    """Names of its hosts."""
    failedHosts: NotRequired[list[str]]
    """Hosts that have failed and have not returned; absent if there are none."""
    heldBy: NotRequired["SliceHolder"]
    """The attempt that holds the whole slice; absent if none does."""
    formed: NotRequired["list[FormedSlice]"]
    """Held slices that are formed from this one; absent if there are none."""
    claimedBy: NotRequired[str]
    """Id of the job that the slice is being cleared for; absent if there is none, or one that the
    caller may not read.
    """
    reason: NotRequired[str]
    """Why the slice of a cluster cannot be given to a job; absent if nothing prevents it."""


class Slices(TypedDict):
    """The schema ``Slices``."""

    type: str
    """The accelerator type."""
    topology: str
    """The topology of a slice."""
    min: int
    """The fewest slices with which it runs."""
    max: int
    """The most slices that it uses."""


class Status(TypedDict):
    """The schema ``Status``."""

    version: int
    """The version, from 1; a save of another manifest adds one."""
    runs: int
    """The number of runs that were started, of all versions."""
    createdAt: "Instant"
    """When the first version was saved."""
    updatedAt: "Instant"
    """When this version was saved."""


StepJobs = TypedDict(
    "StepJobs",
    {
        # The name of the step
        "step": str,
        # Whether the step depends on no other
        "first": bool,
        # The number of jobs; absent if it is not known in advance
        "count": NotRequired[int],
        # Why the jobs are not known in advance; absent if they are
        "unknown": NotRequired[str],
        # The LocalQueue; absent if the jobs are unknown
        "queue": NotRequired[str],
        # The compute class; absent if there is none
        "class": NotRequired[str],
        # The priority class; absent if there is none
        "priorityClass": NotRequired[str],
        # The slices of a job; absent if it needs none
        "slices": NotRequired["Slices"],
        # The pods of a job; absent if the jobs are unknown
        "podSets": NotRequired["list[PodSet]"],
    },
)
"""The schema ``StepJobs``."""


class SubmitterLimit(TypedDict):
    """The schema ``SubmitterLimit``."""

    name: str
    """Name of the submitter."""
    running: int
    """Number of running jobs."""
    limit: int
    """Maximum that the LocalQueue allows."""


class TokenRequest(TypedDict):
    """The schema ``TokenRequest``."""

    name: str
    """Name of the caller: at most 100 letters, digits and @._-, beginning with a letter or digit.
    """
    role: str
    """Role of the caller: admin, submitter or viewer."""
    namespaces: NotRequired[list[str]]
    """Namespaces of the caller, at most 100; * stands for all. A submitter needs one; absent: none.
    """
    expiresAt: NotRequired["Instant"]
    """Time from which the token is refused, at most 3660 days ahead; absent: it does not expire."""


Try = TypedDict(
    "Try",
    {
        # The number of the part, from 0
        "part": int,
        # The number of the try, from 1
        "try": int,
        # The state of the try; PENDING while its job waits for admission
        "state": str,
        # The id of its job; absent until it was submitted
        "job": NotRequired[str],
        # The output of the job, as any JSON; absent if there is none
        "output": NotRequired[Any],
        # Why it failed; absent if it did not, or its job never started
        "cause": NotRequired[str],
        # More about its outcome, for people; absent if there is none
        "message": NotRequired[str],
        # When it started; absent before
        "startedAt": NotRequired["Instant"],
        # When it ended; absent before
        "endedAt": NotRequired["Instant"],
    },
)
"""The schema ``Try``."""


class Upcoming(TypedDict):
    """The schema ``Upcoming``."""

    namespace: str
    """The namespace of the pipeline."""
    pipeline: str
    """The name of the pipeline."""
    version: int
    """The present version of the pipeline."""
    schedule: str
    """The name of the schedule."""
    logicalTime: "Instant"
    """The time that the run is about."""
    dueAt: "Instant"
    """When it starts, jitter included."""
    jobs: "list[StepJobs]"
    """The jobs by step, in the order of their dependencies."""


class UpcomingRunList(TypedDict):
    """The schema ``UpcomingRunList``."""

    items: "list[Upcoming]"
    """The runs, ordered by the time at which they start."""
    nextCursor: NotRequired[str]
    """Where the next page starts, for the parameter cursor; absent on the last page."""
    until: "Instant"
    """The list is complete up to this time."""


class Violation(TypedDict):
    """The schema ``Violation``."""

    document: int
    """The number of the document in the body, from 1."""
    path: str
    """The field; empty for the document as a whole."""
    value: str
    """The value of the field, shortened; empty if there is none."""
    message: str
    """What a correct value would be."""


class VirtualHost(TypedDict):
    """The schema ``VirtualHost``."""

    name: str
    """Name of the host."""
    slice: NotRequired[str]
    """Its slice; absent if it is part of none."""
    failed: bool
    """Whether the host has failed and has not returned."""


class WatchedEvent(TypedDict):
    """The schema ``WatchedEvent``."""

    id: str
    """The place in the journal, sequence.position; resumes after this event."""
    sequence: int
    """The number of the batch."""
    position: int
    """The position in the batch, from 0."""
    at: "Instant"
    """When the batch was decided."""
    kind: str
    """The kind of the change, as Admitted or JobFinished."""
    text: str
    """The change in one sentence."""
    object: "ChangedObject"
    """What changed."""
    job: NotRequired["ChangedJob"]
    """The job that the change is about; absent if it is about none."""
    run: NotRequired["ChangedRun"]
    """The run that the change is about; absent if it is about none."""


class WorkloadMetadata(TypedDict):
    """The schema ``WorkloadMetadata``."""

    name: str
    """Name of the job."""
    namespace: str
    """Namespace of the job."""
    uid: str
    """Id of the job."""
    creationTimestamp: "Instant"
    """When the job was submitted."""
