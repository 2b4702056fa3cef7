// SPDX-License-Identifier: Apache-2.0
// One ClusterQueue: its bars with planned starts, its pending jobs, LocalQueues, limits.

import { html } from "../../shared/html.js";
import { get, getAll, pathOf } from "../../shared/api.js";
import { blockerText, largestFirst } from "../../shared/blockers.js";
import { useLive } from "../../shared/live.js";
import { counted, duration, number, visible } from "../../shared/text.js";
import { Empty, Loaded, Table, When } from "../../shared/widgets.js";
import { QuotaBars } from "./bars.js";
import { LocalQueues, PolicyFacts } from "./facts.js";
import { promisedOf } from "./usage.js";

const PENDING_SHOWN = 50;
const JOBS_MAX = 1000;
const DRAIN = "WAITING_FOR_DRAIN";
const PLAN_MAX = 1000;
const SLICES_MAX = 10_000;

/** @typedef {{blocker: string, count: number}} BlockerCount */

/** @param {{queue: import("./tree.js").QueueNode}} properties */
export function QueueDetails({ queue }) {
  const { name, object, localQueues, totals } = queue;
  const options = { when: (/** @type {WatchEvent} */ event) => event.job?.clusterQueue === name, pause: 2000, every: 60_000 };
  const plan = useLive(
    (signal) =>
      getAll("/v1/plan", { clusterQueue: name, fields: "items.kind,items.amounts,nextCursor" }, { max: PLAN_MAX, signal }),
    [name],
    { ...options, pause: 5000 },
  );
  const blockers = useLive(
    async (signal) => (await get("/v1/jobs/counts", { clusterQueue: name, by: "blocker" }, signal)).items,
    [name],
    { ...options, pause: 5000 },
  );
  const promised = plan.data && promisedOf(plan.data.items);
  return html`<h3>Quota</h3>
    <${QuotaBars} name=${name + ", with planned starts"} object=${object} totals=${totals} promised=${promised} />
    ${plan.data && !plan.data.complete &&
    html`<p class="faint">Promised amounts are of the first ${number(PLAN_MAX)} entries of the plan.</p>`}
    ${blockers.data?.some((/** @type {BlockerCount} */ { blocker }) => blocker === DRAIN) && html`<${Claimed} name=${name} />`}
    <h3>Waiting, by blocker</h3>
    <${Loaded} of=${blockers}>${(/** @type {BlockerCount[]} */ counts) =>
      html`<${Blockers} name=${name} counts=${counts} />`}<//>
    <h3>First in the queue</h3>
    <${PendingJobs} name=${name} options=${options} />
    <h3>LocalQueues</h3>
    ${localQueues.length > 0
      ? html`<${LocalQueues} localQueues=${localQueues} />`
      : html`<${Empty}>No LocalQueue submits to it.<//>`}
    <h3>Policies and limits</h3>
    <${PolicyFacts} object=${object} />
    <h3>Accuracy of expected starts</h3>
    <${Accuracy} name=${name} />`;
}

/**
 * Slices that are cleared for jobs of the queue. Only a job that waits for a drain has claims.
 * @param {{name: string}} properties of the queue
 */
function Claimed({ name }) {
  const slices = useLive(
    async (signal) => {
      const filter = { clusterQueue: name, blocker: DRAIN, fields: "items.id,nextCursor" };
      const jobs = await getAll("/v1/jobs", filter, { max: JOBS_MAX, signal });
      const ids = new Set(jobs.items.map(({ id }) => id));
      const fields = "items.chips,items.type,items.topology,items.claimedBy,nextCursor";
      const all = ids.size === 0 ? [] : (await getAll("/v1/slices", { fields }, { max: SLICES_MAX, signal })).items;
      return all.filter(({ claimedBy }) => ids.has(claimedBy));
    },
    [name],
    { when: ({ object }) => ["Slice", "Attempt"].includes(object.kind), pause: 5000 },
  );
  /** @type {Map<string, {slices: number, chips: number}>} */
  const byType = new Map();
  for (const { chips, type, topology } of slices.data ?? []) {
    const key = type + " " + topology;
    const sum = byType.get(key) ?? { slices: 0, chips: 0 };
    byType.set(key, { slices: sum.slices + 1, chips: sum.chips + chips });
  }
  return byType.size === 0
    ? null
    : html`<p>
        Claimed, being cleared for its jobs:
        ${" " + [...byType].map(([type, sum]) => `${counted(sum.slices, "slice")} of ${visible(type)} (${counted(sum.chips, "chip")})`).join(", ")}
      </p>`;
}

/** @param {{name: string, counts: BlockerCount[]}} properties */
function Blockers({ name, counts }) {
  if (counts.length === 0) {
    return html`<${Empty}>No job waits.<//>`;
  }
  return html`<ul class="blockers">
    ${largestFirst(counts, ({ blocker }) => blocker).map(
      ({ blocker, count }) =>
        html`<li key=${blocker}>
          <a href=${"/jobs?" + new URLSearchParams({ clusterQueue: name, ...(blocker ? { blocker } : { state: "PENDING" }) })}>${blockerText(blocker)}</a> ${number(count)}
        </li>`,
    )}
  </ul>`;
}

/**
 * @param {{name: string, options: object}} properties
 */
function PendingJobs({ name, options }) {
  const pending = useLive(
    (signal) =>
      get(pathOf`/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/${name}/pendingworkloads`, { limit: PENDING_SHOWN + 1 }, signal),
    [name],
    options,
  );
  return html`<${Loaded} of=${pending}>${(/** @type {{items: any[]}} */ { items }) =>
    items.length === 0
      ? html`<${Empty}>No job is in the queue.<//>`
      : html`<${Table} caption=${"Jobs in the queue " + visible(name)} head=${["Position", "Job", "Priority", "Submitted"]}>
            ${items.slice(0, PENDING_SHOWN).map(
              ({ metadata, priority, positionInClusterQueue }) =>
                html`<tr key=${metadata.uid}>
                  <td>${number(positionInClusterQueue + 1)}</td>
                  <td><a href=${"/jobs/" + encodeURIComponent(metadata.uid)}>${visible(metadata.namespace)} / ${visible(metadata.name)}</a></td>
                  <td>${priority}</td>
                  <td><${When} at=${metadata.creationTimestamp} /></td>
                </tr>`,
            )}
          <//>
          <p class="faint">
            ${items.length > PENDING_SHOWN ? `The first ${PENDING_SHOWN} in the order of the queue. ` : ""}Without jobs
            that are held or in backoff.
          </p>`}<//>`;
}

/** @param {{name: string}} properties */
function Accuracy({ name }) {
  const accuracy = useLive((signal) => get("/v1/accuracy", {}, signal), [], { when: () => false, every: 60_000 });
  return html`<${Loaded} of=${accuracy}>${(/** @type {{items: any[]}} */ { items }) => {
    const one = items.find(({ clusterQueue }) => clusterQueue === name);
    if (!one || one.starts === 0) {
      return html`<${Empty}>No job with an expected start has started yet.<//>`;
    }
    /** @param {number} share */
    const percent = (share) => Math.round(100 * share) + " %";
    return html`<p>
      ${percent(one.inRange)} of ${counted(one.starts, "start")} were within their range
      (${percent(one.confidence)} intended), ${percent(one.early)} earlier. The median wait was
      ${" " + duration(1000 * one.medianWaitSeconds)}, the median error ${duration(1000 * one.medianErrorSeconds)}.
    </p>`;
  }}<//>`;
}
