// SPDX-License-Identifier: Apache-2.0
// The jobs that wait longest, and who holds what they need.

import { useEffect, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { setQuery } from "../../shared/router.js";
import { counted, shortTime, visible, words } from "../../shared/text.js";
import { Empty, Failure, When } from "../../shared/widgets.js";

const JOBS_MAX = 8;

/** Obstacles of a job, and ClusterQueues with unreadable jobs in its way, that are listed at most. */
const OBSTACLES_MAX = 6;
const OTHERS_MAX = 10;

/** The pointer rests this long on a job before the server is asked: an explanation is costly. */
const REST_MILLIS = 200;

const FIELDS = [
  "id",
  "metadata.name",
  "metadata.namespace",
  ...["clusterQueue", "createdAt", "blocker", "reason", "plannedStart", "expectedStart"].map((field) => "status." + field),
]
  .map((field) => "items." + field)
  .join();

/** @typedef {Job & {status: {plannedStart?: any, expectedStart?: any}}} Waiting */

/**
 * Reads the jobs that wait longest.
 * @param {AbortSignal} signal
 * @returns {Promise<Waiting[]>}
 */
export async function readWaiting(signal) {
  const query = { state: "PENDING", held: false, order: "oldest", limit: JOBS_MAX, fields: FIELDS };
  return (await get("/v1/jobs", query, signal)).items;
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
 * @param {Waiting[]} properties.jobs
 * @param {string} properties.pinned id of the job that the address names
 * @param {string | undefined} properties.shown
 * @param {(id: string | undefined) => void} properties.onPoint
 */
export function WaitingList({ jobs, pinned, shown, onPoint }) {
  if (jobs.length === 0) {
    return html`<${Empty}>No job that you may read waits in a queue.<//>`;
  }
  return html`<ol class="waiting-list">
      ${jobs.map(
        ({ id, metadata, status }) =>
          html`<li
            key=${id}
            class=${id === shown ? "shown" : ""}
            onPointerEnter=${() => onPoint(id)}
            onPointerLeave=${() => onPoint(undefined)}
          >
            <p>
              <a
                href=${"/jobs/" + encodeURIComponent(id)}
                onFocus=${() => onPoint(id)}
                onBlur=${() => onPoint(undefined)}
                >${visible(metadata.namespace)} / ${visible(metadata.name)}</a
              >
              ${" "}<${When} at=${status.createdAt} />${", in "}<a
                href=${"/queues?queue=" + encodeURIComponent(status.clusterQueue)}
                >${visible(status.clusterQueue)}</a
              >
              ${" "}<button
                type="button"
                aria-pressed=${id === pinned}
                aria-label=${"Mark on the map what is in the way of " + visible(metadata.name)}
                onClick=${() => setQuery({ job: id === pinned ? undefined : id })}
              >
                In its way
              </button>
            </p>
            <p>${reasonOf(status)}</p>
            <${Start} status=${status} />
          </li>`,
      )}
    </ol>
    <p class="faint">Without jobs that are held.</p>`;
}

/** @param {Job["status"]} status */
function reasonOf({ reason, blocker }) {
  return visible(reason ?? (blocker ? words(blocker) : "The next round decides about it."));
}

/** @param {{status: Waiting["status"]}} properties */
function Start({ status: { plannedStart: planned, expectedStart: expected } }) {
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
