// SPDX-License-Identifier: Apache-2.0
// The jobs that wait longest, and who holds what they need.

import { useEffect, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, getAll, pathOf } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { setQuery } from "../../shared/router.js";
import { counted, shortTime, visible, words } from "../../shared/text.js";
import { Empty, Failure, When } from "../../shared/widgets.js";
import { longestWaiting, oldestByQueue } from "./jobs.js";
import { pendingOf } from "./pressure.js";

const JOBS_MAX = 8;
/** ClusterQueues whose pending jobs are read, those with the most first; and jobs of each. */
const QUEUES_MAX = 20;
const PENDING_MAX = 1000;
const PLAN_MAX = 2000;

/** Obstacles of a job, and ClusterQueues with unreadable jobs in its way, that are listed at most. */
const OBSTACLES_MAX = 6;
const OTHERS_MAX = 10;

/** The pointer rests this long on a job before the server is asked: an explanation is costly. */
const REST_MILLIS = 200;

const PENDING_FIELDS = ["name", "namespace", "uid", "creationTimestamp"]
  .map((field) => "items.metadata." + field)
  .join();

/**
 * @typedef {object} Waiting
 * @property {any[]} jobs
 * @property {Map<string, string>} oldest time of the oldest pending job by ClusterQueue
 * @property {boolean} complete
 */

/**
 * Reads the jobs that wait longest. GET /v1/jobs lists the newest first, so the queues are read.
 * @param {AbortSignal} signal
 * @returns {Promise<Waiting>}
 */
export async function readWaiting(signal) {
  const fields = "items.metadata.name,items.status.pendingWorkloads,nextCursor";
  const { items, complete } = await getAll("/v1/clusterqueues", { fields }, { max: 500, signal });
  const waiting = items.filter((queue) => pendingOf(queue) > 0);
  const read = waiting
    .sort((one, other) => pendingOf(other) - pendingOf(one))
    .slice(0, QUEUES_MAX);
  const queues = await Promise.all(
    read.map(async ({ metadata: { name } }) => {
      const path = pathOf`/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/${name}/pendingworkloads`;
      const list = await optional(get(path, { limit: PENDING_MAX, fields: PENDING_FIELDS }, signal));
      return { queue: name, items: list?.items ?? [] };
    }),
  );
  const jobs = await Promise.all(
    longestWaiting(queues, JOBS_MAX).map(async (one) => {
      const fields = "status.state,status.blocker,status.reason,status.plannedStart";
      const job = await optional(get(pathOf`/v1/jobs/${one.id}`, { fields }, signal));
      return { ...one, status: job?.status };
    }),
  );
  const plan = jobs.some(({ status }) => status && !status.plannedStart) ? await readPlan(signal) : [];
  const expected = new Map(plan.filter(({ kind }) => kind === "expected").map((one) => [one.job, one.expected]));
  return {
    jobs: jobs.map((job) => ({ ...job, expected: expected.get(job.id) })),
    oldest: oldestByQueue(queues),
    complete: complete && waiting.length <= QUEUES_MAX && queues.every((queue) => queue.items.length < PENDING_MAX),
  };
}

/** @param {AbortSignal} signal */
async function readPlan(signal) {
  const fields = "items.kind,items.job,items.expected,nextCursor";
  return (await getAll("/v1/plan", { fields }, { max: PLAN_MAX, signal })).items;
}

/** Returns undefined for what is gone by now, or is not the caller's. @param {Promise<any>} answer */
function optional(answer) {
  return answer.catch((failure) => {
    if (failure.status === 404 || failure.status === 403) {
      return undefined;
    }
    throw failure;
  });
}

/**
 * Returns the explanation of a job after a moment of rest; undefined while there is none.
 * @param {string | undefined} id
 */
export function useExplanation(id) {
  const [rested, setRested] = useState(id);
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), REST_MILLIS);
    return () => clearTimeout(timer);
  }, [id]);
  const answer = useLive(
    async (signal) => rested && (await get(pathOf`/v1/jobs/${rested}/explanation`, {}, signal)),
    [rested],
    { pause: 10_000 },
  );
  const { data, failure } = answer;
  return id !== undefined && data?.id === id ? { data, failure } : { data: undefined, failure: id && failure };
}

/**
 * @param {object} properties
 * @param {Waiting} properties.waiting
 * @param {string} properties.pinned id of the job that the address names
 * @param {string | undefined} properties.shown
 * @param {(id: string | undefined) => void} properties.onPoint
 */
export function WaitingList({ waiting, pinned, shown, onPoint }) {
  const { jobs, complete } = waiting;
  if (jobs.length === 0) {
    return html`<${Empty}>No job that you may read waits in a queue.<//>`;
  }
  return html`<ol class="waiting-list">
      ${jobs.map(
        (job) =>
          html`<li
            key=${job.id}
            class=${job.id === shown ? "shown" : ""}
            onPointerEnter=${() => onPoint(job.id)}
            onPointerLeave=${() => onPoint(undefined)}
          >
            <p>
              <a
                href=${"/jobs/" + encodeURIComponent(job.id)}
                onFocus=${() => onPoint(job.id)}
                onBlur=${() => onPoint(undefined)}
                >${visible(job.namespace)} / ${visible(job.name)}</a
              >
              ${" "}<${When} at=${job.createdAt} />${", in "}<a href=${"/queues?queue=" + encodeURIComponent(job.queue)}>${visible(job.queue)}</a>
              ${" "}<button
                type="button"
                aria-pressed=${job.id === pinned}
                aria-label=${"Mark on the map what is in the way of " + visible(job.name)}
                onClick=${() => setQuery({ job: job.id === pinned ? undefined : job.id })}
              >
                In its way
              </button>
            </p>
            <p>${reasonOf(job.status)}</p>
            <${Start} job=${job} />
          </li>`,
      )}
    </ol>
    <p class="faint">
      ${complete ? "" : `Among the first ${PENDING_MAX} jobs of the ${QUEUES_MAX} ClusterQueues with the most. `}Without
      jobs that are held or in backoff.
    </p>`;
}

/** @param {any} status */
function reasonOf(status) {
  if (!status) {
    return "You may not read this job.";
  }
  return visible(status.reason ?? (status.blocker ? words(status.blocker) : "The next round decides about it."));
}

/** @param {{job: any}} properties */
function Start({ job }) {
  const { expected } = job;
  const planned = job.status?.plannedStart;
  if (planned) {
    return html`<p class="faint">
      Planned start${planned.at ? html`: <${When} at=${planned.at} />${planned.firm ? ", firm" : ", unless borrowed quota is reclaimed"}` : " when what is in its way ends"}
    </p>`;
  }
  return expected
    ? html`<p class="faint">
        Expected start: ${shortTime(expected.earliest)} to
        ${" " + (expected.latest ? shortTime(expected.latest) : "unknown")} (${Math.round(100 * expected.confidence)} %)
      </p>`
    : null;
}

/**
 * Who holds what a job needs.
 * @param {object} properties
 * @param {{data: any, failure: any}} properties.explanation
 * @param {string | undefined} properties.shown id of the job
 * @param {string | undefined} properties.name of the job, if it is known
 * @param {number} properties.marked slices on the map
 */
export function InTheWay({ explanation: { data, failure }, shown, name, marked }) {
  if (!shown) {
    return html`<p class="faint">Point at a job to see who holds what it needs.</p>`;
  }
  if (!data) {
    return failure
      ? html`<${Failure} failure=${failure} />`
      : html`<p class="loading">Loading</p>`;
  }
  const { count, first } = data.inTheWay ?? { count: 0, first: [] };
  const others = data.othersInTheWay ?? [];
  return html`<p><a href=${"/jobs/" + encodeURIComponent(data.id)}>${name ? visible(name) : "This job"}</a></p>
    <p>${visible(data.reason)}</p>
    <${Obstacles} obstacles=${data.obstacles ?? []} />
    ${count === 0
      ? html`<p>No attempt is in its way.</p>`
      : html`<p>
            ${counted(count, "attempt")} in its way${count > first.length ? `, ${first.length} listed` : ""};
            ${" " + counted(marked, "slice")} marked on the map.
          </p>
          <ul>
            ${first.map(
              (/** @type {any} */ one) =>
                html`<li>
                  <a href=${"/jobs/" + encodeURIComponent(one.job)}>${visible(one.name)}</a>
                  ${" of " + visible(one.clusterQueue)}${one.draining ? ", draining" : ""}<${AtTheLatest} at=${one.latestEnd} />
                </li>`,
            )}
            ${others.slice(0, OTHERS_MAX).map(
              (/** @type {any} */ one) =>
                html`<li>
                  ${counted(one.attempts, "attempt")} of jobs in ${visible(one.clusterQueue)} that you may not
                  read<${AtTheLatest} at=${one.latestEnd} />
                </li>`,
            )}
          </ul>`}`;
}

/** @param {{obstacles: any[]}} properties */
function Obstacles({ obstacles }) {
  return obstacles.length === 0
    ? null
    : html`<ul>
        ${obstacles.slice(0, OBSTACLES_MAX).map(
          (one) =>
            html`<li>
              ${visible(one.flavor)}, ${words(one.kind)}: wants ${visible(one.wanted)}
              ${" " + (one.unit === "quantity" ? "of " + visible(one.resource) : visible(one.unit))},
              ${" " + visible(one.available)} available of ${visible(one.most)}
            </li>`,
        )}
      </ul>`;
}

/** @param {{at: string | undefined}} properties */
function AtTheLatest({ at }) {
  return at ? html`, ends <${When} at=${at} /> at the latest` : null;
}
