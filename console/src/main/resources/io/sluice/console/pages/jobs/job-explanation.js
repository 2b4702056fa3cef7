// SPDX-License-Identifier: Apache-2.0
// Why a job is not running: a sentence, numbers, the jobs in the way, and what would change it.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf, post, send } from "../../shared/api.js";
import { SELDOM, useLive } from "../../shared/live.js";
import { may, whyNot } from "../../shared/session.js";
import { manifestOf, prioritize } from "../../shared/job-actions.js";
import { counted, moment, quantity, shortTime, visible, words } from "../../shared/text.js";
import { Action, Facts, Failure, Loaded, State, Table, When, perform } from "../../shared/widgets.js";

/** @type {Record<string, string>} */
const CURES = {
  TIME: "time alone",
  PREEMPTION: "other work that ends or is evicted",
  CAPACITY: "more or repaired hosts",
  QUOTA: "an administrator who edits quota",
  USER: "you: another job, or a release",
};

/** @param {{job: Job}} properties */
export function Explanation({ job }) {
  const explanation = useLive(
    (signal) => get(pathOf`/v1/jobs/${job.id}/explanation`, { alternatives: true }, signal),
    [job.id],
    // Work of others decides when a job starts, so any event may change the explanation.
    { pause: SELDOM },
  );
  return html`<section class="panel" aria-label="Why it is not running">
    <${Loaded} of=${explanation}>${(/** @type {any} */ data) =>
      data.blocker || data.reason
        ? html`<${Reason} job=${job} data=${data} />`
        : html`<p>Nothing is in its way.</p>`}<//>
  </section>`;
}

/** @param {{job: Job, data: any}} properties */
function Reason({ job, data }) {
  const { plannedStart, expectedStart, inTheWay } = data;
  return html`<p class="sentence">${visible(data.reason)}</p>
    <${Facts}
      facts=${[
        ["Blocker", data.blocker && words(data.blocker)],
        ["Could be cured by", data.cure && CURES[data.cure]],
        ["Jobs before it", data.ahead === undefined ? "" : String(data.ahead)],
        ["Ends by itself", data.until && html`<${When} at=${data.until} />`],
        ["Planned start", plannedStart && (plannedStart.at ? html`<${When} at=${plannedStart.at} />, ${plannedStart.firm ? "firm" : "unless borrowed quota is reclaimed"}` : "when what is in its way ends")],
        ["Expected start", expectedStart && html`<span title=${moment(expectedStart.earliest)}>${shortTime(expectedStart.earliest)}</span>${" to " + (expectedStart.latest ? shortTime(expectedStart.latest) : "unknown") + " (" + Math.round(100 * expectedStart.confidence) + " %)"}`],
        ["Room at the latest", data.startsBy && html`<${When} at=${data.startsBy} />`],
      ]}
    />
    <${Changes} job=${job} data=${data} />
    ${data.obstacles?.length > 0 && html`<h2>Numbers</h2><${Obstacles} obstacles=${data.obstacles} />`}
    ${inTheWay?.count > 0 &&
    html`<h2>In its way: ${counted(inTheWay.count, "attempt")}</h2>
      <${InTheWay} attempts=${inTheWay.first} />`}`;
}

/** @param {{obstacles: any[]}} properties */
function Obstacles({ obstacles }) {
  return html`<${Table}
    caption="Obstacles by flavor"
    head=${["Flavor", "Obstacle", "Resource", "Wanted", "Available", "At most"]}
  >
    ${obstacles.map(
      (one) =>
        html`<tr>
          <td>${visible(one.flavor)}</td>
          <td>${words(one.kind)}</td>
          <td>${visible(one.resource ?? "")}</td>
          <td>${visible(one.wanted)} ${one.unit === "quantity" ? "" : visible(one.unit)}</td>
          <td>${visible(one.available)}</td>
          <td>${visible(one.most)}</td>
        </tr>`,
    )}
  <//>`;
}

/** @param {{attempts: any[]}} properties */
function InTheWay({ attempts }) {
  return html`<${Table} caption="Attempts in the way" head=${["Job", "ClusterQueue", "Priority", "State", "Ends by"]}>
    ${attempts.map(
      (one) =>
        html`<tr>
          <td>${one.job ? html`<a href=${"/jobs/" + one.job}>${visible(one.name)}</a>` : "a job that you may not read"}</td>
          <td>${visible(one.clusterQueue)}</td>
          <td>${one.priority}</td>
          <td><${State} state=${one.draining ? "DRAINING" : "RUNNING"} /></td>
          <td><${When} at=${one.latestEnd} /></td>
        </tr>`,
    )}
  <//>`;
}

/**
 * @typedef {object} Change
 * @property {string} text
 * @property {string | false} [refused]
 * @property {() => Promise<string>} [tryOut] a dry run that tells what would come of it
 * @property {() => Promise<unknown>} [carryOut]
 */

/** @param {{job: Job, data: any}} properties */
function Changes({ job, data }) {
  const parts = data.smallestChange?.kind === "ALL_OF" ? data.smallestChange.parts : [data.smallestChange];
  const changes = [
    ...parts.filter(Boolean).map((/** @type {any} */ part) => additionOf(job, part)),
    ...(data.alternatives ?? []).map((/** @type {any} */ one) => alternativeOf(job, one)),
  ].filter(Boolean);
  return changes.length === 0
    ? null
    : html`<h2>What would change it</h2>
        <ul class="changes">
          ${changes.map((change) => html`<li key=${change.text}><${ChangeRow} change=${change} /></li>`)}
        </ul>`;
}

/** @param {{change: Change}} properties */
function ChangeRow({ change }) {
  const [outcome, setOutcome] = useState("");
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const tryOut = async () => {
    setFailure(undefined);
    setOutcome("Trying it on a copy");
    try {
      setOutcome(await /** @type {() => Promise<string>} */ (change.tryOut)());
    } catch (problem) {
      setOutcome("");
      setFailure(/** @type {Error} */ (problem));
    }
  };
  return html`${visible(change.text)}
    ${change.tryOut &&
    html` <${Action} refused=${change.refused} onClick=${tryOut} aria-label=${"Try out: " + change.text}>Try out<//>`}
    ${change.carryOut &&
    html` <${Action} refused=${change.refused} onClick=${() => perform(/** @type {any} */ (change.carryOut), "Requested")} aria-label=${"Do it: " + change.text}>Do it<//>`}
    ${outcome && html`<p role="status" class="faint">${visible(outcome)}</p>`}
    <${Failure} failure=${failure} />`;
}

/**
 * A part of the smallest change: an addition of an administrator.
 * @param {Job} job
 * @param {any} part
 * @returns {Change | undefined}
 */
function additionOf(job, part) {
  const administered = !may("administer") && whyNot("administer");
  switch (part.kind) {
    case "WAIT":
    case "NONE":
    case "UNKNOWN":
      return {
        text: {
          WAIT: "Time alone: nothing has to be changed",
          NONE: "No addition of quota or slices helps",
          UNKNOWN: "Unknown: too many jobs compete for an addition to try it",
        }[/** @type {"WAIT"} */ (part.kind)],
      };
    case "ADD_QUOTA":
      return {
        text: `${part.amount} more of ${part.resource} in flavor ${part.subject}`,
        refused: administered,
        tryOut: () => tryQuota(job, part),
      };
    case "ADD_SLICES":
      return {
        text: `${part.amount} more free slices of flavor ${part.subject}`,
        refused: administered,
        tryOut: () => trySlices(job, part),
      };
    default:
      return { text: words(part.kind) + (part.subject ? " " + part.subject : "") };
  }
}

/**
 * A change of the job itself.
 * @param {Job} job
 * @param {any} one
 * @returns {Change}
 */
function alternativeOf(job, one) {
  const { namespace } = job.metadata;
  const submits = !may("submit", namespace) && whyNot("submit", namespace);
  const manifest = manifestOf(job);
  switch (one.kind) {
    case "SHORTER_TIME_LIMIT":
      return {
        text: "A time limit of " + one.timeLimit,
        refused: submits,
        tryOut: () => simulate(job, { timeLimit: job.id + "=" + one.timeLimit }),
        carryOut: () => post(pathOf`/v1/jobs/${job.id}/limit`, { query: { timeLimit: one.timeLimit } }),
      };
    case "HIGHER_PRIORITY":
      return {
        text: "Priority class " + one.priorityClass,
        refused: !may("operate", namespace) && whyNot("operate", namespace),
        tryOut: () => trySubmission({ ...manifest, spec: { ...manifest.spec, priorityClass: one.priorityClass } }),
        carryOut: () => prioritize(job.id, one.priorityClass),
      };
    case "FEWER_SLICES":
      return {
        text: "The same job with " + counted(one.slices, "slice"),
        refused: submits,
        tryOut: () =>
          trySubmission({
            ...manifest,
            spec: { ...manifest.spec, accelerator: { ...manifest.spec.accelerator, slices: one.slices } },
          }),
      };
    case "OTHER_COMPUTE_CLASS":
      return {
        text: one.computeClass ? "The same job with compute class " + one.computeClass : "The same job without a compute class",
        refused: submits,
        tryOut: () => trySubmission({ ...manifest, spec: { ...manifest.spec, computeClass: one.computeClass } }),
      };
    default:
      return { text: words(one.kind) };
  }
}

/**
 * Raises the nominal quota of the job's queue in a preview.
 * @param {Job} job
 * @param {any} part
 */
async function tryQuota(job, part) {
  const path = pathOf`/v1/clusterqueues/${job.status.clusterQueue}`;
  const queue = await get(path);
  let found = false;
  for (const group of queue.spec.resourceGroups) {
    for (const flavor of group.flavors.filter((/** @type {any} */ one) => one.name === part.subject)) {
      for (const resource of flavor.resources.filter((/** @type {any} */ one) => one.name === part.resource)) {
        resource.nominalQuota = String(quantity(resource.nominalQuota) + quantity(part.amount));
        found = true;
      }
    }
  }
  if (!found) {
    return "The queue has no quota of this flavor: its ClusterQueue needs an entry for it.";
  }
  const answer = await send("PUT", path, { query: { dryRun: true }, body: queue });
  const { preview } = await answer.json();
  const gain = preview.gains.first.find((/** @type {any} */ one) => one.job === job.id);
  return (
    (gain ? "It would start at once." : "It would not start at once.") +
    ` Altogether ${counted(preview.gains.count, "job")} would start and ${counted(preview.evictions.count, "attempt")} would be evicted.`
  );
}

/**
 * Adds slices of the job's kind in a simulation.
 * @param {Job} job
 * @param {any} part
 */
async function trySlices(job, part) {
  const { kinds, slices } = await get("/v1/fleet/map");
  const wanted = job.spec.accelerator;
  const like = slices.find(
    (/** @type {{kind: number}} */ { kind }) =>
      kinds[kind].type === wanted?.type && kinds[kind].topology === wanted?.topology,
  );
  return like
    ? simulate(job, { addSlices: like.name + "=" + part.amount })
    : "The fleet has no such slice that could be copied.";
}

/**
 * @param {Job} job
 * @param {Record<string, string>} query
 */
async function simulate(job, query) {
  const answer = await post("/v1/simulate", { query });
  const own = answer.jobs.first.find((/** @type {any} */ one) => one.job === job.id);
  const others = answer.counts.later + answer.counts.never + answer.counts.displaced;
  const start = own?.after ? "It would start " + shortTime(own.after) + ", by the plan." : "Its start would not change by the plan.";
  return start + ` ${counted(others, "other job")} would start later or be displaced.`;
}

/** @param {any} manifest */
async function trySubmission(manifest) {
  const answer = await post("/v1/jobs", { query: { dryRun: true }, body: manifest });
  const [result] = answer.results;
  const evictions = answer.preview?.evictions?.count ?? 0;
  return result.admitted > 0
    ? `Submitted now, it would start at once; ${counted(evictions, "attempt")} would be evicted.`
    : "Submitted now, it would wait: " + (result.reason ?? result.state);
}
