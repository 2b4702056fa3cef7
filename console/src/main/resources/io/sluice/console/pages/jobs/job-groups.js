// SPDX-License-Identifier: Apache-2.0
// Jobs in groups with counts, each a filter.

import { html } from "../../shared/html.js";
import { get, getAll } from "../../shared/api.js";
import { blockersOf } from "../../shared/blockers.js";
import { useLive } from "../../shared/live.js";
import { number, visible, words } from "../../shared/text.js";
import { Empty, Loaded } from "../../shared/widgets.js";

/** @typedef {import("./jobs.js").Filters} Filters */

/** The server looks at each job that the filters leave, so counts are read less often than rows. */
export const COUNTS_MILLIS = 3000;

export const GROUPS = ["state", "blocker", "queue", "clusterQueue", "namespace", "team", "priorityClass"];

/** @type {Record<string, string>} */
export const GROUP_NAMES = { clusterQueue: "ClusterQueue", priorityClass: "priority class" };

/** Waiting jobs whose blockers are counted: the server knows them by looking at each job. */
const BLOCKERS_MAX = 1000;

/** @param {{by: string, chosen: Filters}} properties */
export function Groups({ by, chosen }) {
  const groups = useLive(
    (signal) =>
      by === "blocker"
        ? countBlockers(chosen, signal)
        : get("/v1/jobs/counts", { ...chosen, by }, signal),
    [by, JSON.stringify(chosen)],
    { pause: COUNTS_MILLIS },
  );
  return html`<${Loaded} of=${groups}>${(/** @type {any} */ data) =>
    data.items.length === 0
      ? html`<${Empty}>No job is in a group.<//>`
      : html`${data.complete === false && html`<p class="faint">Of the newest ${number(BLOCKERS_MAX)} waiting jobs:</p>`}<ul class="groups" aria-label=${"Jobs by " + (GROUP_NAMES[by] ?? by)}>
          ${data.items
            .slice()
            .sort((/** @type {any} */ one, /** @type {any} */ other) => other.count - one.count)
            .map(
              (/** @type {any} */ item) =>
                html`<li>
                  ${by === "team" || by === "blocker" || item[by] === ""
                    ? visible(by === "blocker" ? words(item[by]) : item[by] || "none")
                    : html`<a href=${groupLink(by, item[by])}>${visible(by === "state" ? words(item[by]) : item[by])}</a>`}
                  ${" "}<span class="faint">${number(item.count)}</span>
                </li>`,
            )}
        </ul>`}<//>`;
}

/**
 * Counts waiting jobs by their blocker.
 * @param {Filters} chosen
 * @param {AbortSignal} signal
 */
async function countBlockers(chosen, signal) {
  const query = { ...chosen, state: "PENDING", fields: "items.status.blocker,nextCursor" };
  const { items, complete } = await getAll("/v1/jobs", query, { max: BLOCKERS_MAX, signal });
  const counts = blockersOf(items).map(({ blocker, count }) => ({ blocker: blocker || "UNKNOWN", count }));
  return { items: counts, complete };
}

/** @param {string} by @param {string} value */
function groupLink(by, value) {
  const query = new URLSearchParams(location.search);
  query.delete("by");
  if (by === "queue") {
    const [namespace, queue] = value.split("/");
    query.set("namespace", namespace);
    query.set("queue", queue);
  } else {
    query.set(by, value);
  }
  return "/jobs?" + query;
}
