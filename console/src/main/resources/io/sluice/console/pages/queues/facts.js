// SPDX-License-Identifier: Apache-2.0
// Policies and limits of a ClusterQueue, and its LocalQueues.

import { html } from "../../shared/html.js";
import { number, visible } from "../../shared/text.js";
import { Facts } from "../../shared/widgets.js";
import { amountText, quotasOf, unitText } from "./usage.js";

/** LocalQueues of one ClusterQueue that are listed at most. */
const LOCALS_MAX = 100;

/** @type {Record<string, string>} */
const STOPPED = {
  Hold: "stopped: admits nothing",
  HoldAndDrain: "stopped: admits nothing and drains",
};

/** @param {any} object */
const annotationsOf = (object) => object.metadata.annotations ?? {};

/** What differs from the usual, as marks. @param {{object: any}} properties */
export function Policy({ object }) {
  const { stopPolicy = "None", queueingStrategy, fairSharing } = object.spec;
  const queueing = annotationsOf(object)["sluice.io/queueing"] ?? "kueue";
  return html`${stopPolicy !== "None" && html`<span class="state bad">${STOPPED[stopPolicy] ?? visible(stopPolicy)}</span>`}
    <span class="state neutral">${visible(queueing)}</span>
    <span class="state neutral">${visible(queueingStrategy)}</span>
    ${fairSharing?.weight !== undefined && html`<span class="state neutral">weight ${visible(fairSharing.weight)}</span>`}`;
}

/** @param {{localQueues: any[]}} properties */
export function LocalQueues({ localQueues }) {
  return html`<ul class="locals">
      ${localQueues.slice(0, LOCALS_MAX).map(({ metadata, spec, status = {} }) => {
        const { namespace, name } = metadata;
        const query = new URLSearchParams({ namespace, queue: name });
        return html`<li key=${namespace + "/" + name}>
          <a href=${"/jobs?" + query}>${visible(namespace)} / ${visible(name)}</a>
          ${" "}${number(status.pendingWorkloads ?? 0)} waiting, ${number(status.admittedWorkloads ?? 0)} admitted
          ${spec.stopPolicy && spec.stopPolicy !== "None" && html` <span class="state bad">${STOPPED[spec.stopPolicy] ?? visible(spec.stopPolicy)}</span>`}
        </li>`;
      })}
    </ul>
    ${localQueues.length > LOCALS_MAX &&
    html`<p class="faint">The first ${LOCALS_MAX} of ${number(localQueues.length)}.</p>`}`;
}

/** @param {{object: any}} properties */
export function PolicyFacts({ object }) {
  const { spec } = object;
  const preemption = spec.preemption ?? {};
  const annotations = annotationsOf(object);
  return html`<${Facts}
      facts=${[
        ["Stop policy", visible(spec.stopPolicy ?? "None")],
        ["Strategy", visible(spec.queueingStrategy)],
        ["Queueing", visible(annotations["sluice.io/queueing"] ?? "kueue")],
        ["Weight in fair sharing", spec.fairSharing?.weight === undefined ? "" : visible(spec.fairSharing.weight)],
        ["Cohort", spec.cohortName && visible(spec.cohortName)],
        ["Preemption within the queue", preemption.withinClusterQueue && visible(preemption.withinClusterQueue)],
        ["Reclaims within the cohort", preemption.reclaimWithinCohort && visible(preemption.reclaimWithinCohort)],
        ["Preemption to borrow", preemption.borrowWithinCohort?.policy && visible(preemption.borrowWithinCohort.policy)],
        ...Object.entries(annotations)
          .filter(([key]) => key.startsWith("sluice.io/") && key !== "sluice.io/queueing")
          .map(([key, value]) => [visible(key), visible(value)]),
      ]}
    />
    <${Limits} object=${object} />`;
}

/** @param {{object: any}} properties */
function Limits({ object }) {
  const limits = quotasOf(object).flatMap(({ flavor, resource, borrowingLimit, lendingLimit }) =>
    /** @type {[string, number | undefined][]} */ ([["borrows", borrowingLimit], ["lends", lendingLimit]])
      .filter(([, value]) => value !== undefined)
      .map(([verb, value]) => {
        const amount = /** @type {number} */ (value);
        return `${visible(flavor)} ${visible(resource)}: ${verb} at most ${amountText(resource, amount)}${unitText(resource, amount)}`;
      }),
  );
  return limits.length === 0
    ? html`<p class="faint">No limits of borrowing or lending.</p>`
    : html`<ul class="locals">${limits.map((text) => html`<li>${text}</li>`)}</ul>`;
}
