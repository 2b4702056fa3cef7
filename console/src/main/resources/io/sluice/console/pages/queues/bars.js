// SPDX-License-Identifier: Apache-2.0
// One bar for each flavor and resource of a ClusterQueue, with its numbers as text.

import { html } from "../../shared/html.js";
import { visible } from "../../shared/text.js";
import {
  amountText,
  barOf,
  borrowersFor,
  keyOf,
  lentOf,
  quotasOf,
  unitText,
} from "./usage.js";

/** Names of borrowers that a bar's text has at most. */
const NAMES_MAX = 3;

/**
 * @param {object} properties
 * @param {string} properties.name of the ClusterQueue
 * @param {any} properties.object
 * @param {Map<string, import("./usage.js").Total>} [properties.totals] of its cohort tree
 * @param {Map<string, number>} [properties.promised] by flavor and resource
 */
export function QuotaBars({ name, object, totals, promised }) {
  const quotas = quotasOf(object);
  return quotas.length === 0
    ? html`<p class="faint">No quota.</p>`
    : html`<ul class="quotas" aria-label=${"Quota of " + visible(name)}>
        ${quotas.map((quota) => {
          const total = totals?.get(keyOf(quota));
          const lent = lentOf(quota, total);
          const more = { lent: lent.least, promised: promised?.get(keyOf(quota)) };
          const { nominal, segments } = barOf(quota, more);
          return html`<li key=${keyOf(quota)} class="quota">
            <span class="quota-name">${visible(quota.flavor)} <span class="faint">${visible(quota.resource)}</span></span>
            <span class="quota-bar" aria-hidden="true">
              ${segments.map(
                ({ kind, left, width }) =>
                  html`<span class=${"segment " + kind} style=${{ left: left + "%", width: width + "%" }}></span>`,
              )}
              <span class="nominal" style=${{ left: nominal + "%" }}></span>
            </span>
            <span class="quota-text">${textOf(quota, lent, more.promised, reclaim(object, total, name))}</span>
          </li>`;
        })}
      </ul>`;
}

/**
 * Returns the names of the queues from which quota can be reclaimed; undefined if the queue may not.
 * @param {any} object
 * @param {import("./usage.js").Total | undefined} total
 * @param {string} name
 */
function reclaim(object, total, name) {
  const policy = object.spec?.preemption?.reclaimWithinCohort ?? "Never";
  return policy === "Never" ? undefined : borrowersFor(total, name).map(({ queue }) => queue);
}

/**
 * @param {import("./usage.js").Quota} quota
 * @param {{least: number, most: number}} lent
 * @param {number | undefined} promised
 * @param {string[] | undefined} borrowers
 */
function textOf(quota, lent, promised, borrowers) {
  /** @param {number} value */
  const amount = (value) => amountText(quota.resource, value);
  const parts = [
    `${amount(quota.used)} of ${amount(quota.nominal)}${unitText(quota.resource, quota.nominal)} used`,
  ];
  if (quota.borrowed > 0) {
    parts.push(amount(quota.borrowed) + " borrowed");
  }
  if (lent.most > 0) {
    parts.push(
      lent.least === lent.most
        ? "lends " + amount(lent.least)
        : lent.least === 0
          ? `lends at most ${amount(lent.most)}`
          : `lends ${amount(lent.least)} to ${amount(lent.most)}`,
    );
  }
  if (lent.least > 0) {
    parts.push(
      borrowers
        ? `${amount(lent.least)} reclaimable from ${some(borrowers)}`
        : "none reclaimable by its policy",
    );
  }
  if (promised) {
    parts.push(amount(promised) + " promised to planned starts");
  }
  return parts.join(", ");
}

/** @param {string[]} names */
function some(names) {
  const more = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).map(visible).join(", ") + (more > 0 ? " and " + more + " more" : "");
}

/** The meaning of the segments of bars. */
export function BarLegend() {
  const kinds = {
    used: "used",
    borrowed: "borrowed, beyond nominal quota",
    lent: "lent to others",
    promised: "promised to planned starts",
  };
  return html`<ul class="bar-legend" aria-label="Segments of bars">
    ${Object.entries(kinds).map(
      ([kind, text]) => html`<li><span class=${"segment " + kind} aria-hidden="true"></span>${text}</li>`,
    )}
    <li><span class="nominal" aria-hidden="true"></span>nominal quota</li>
  </ul>`;
}
