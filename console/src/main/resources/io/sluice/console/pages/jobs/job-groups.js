// SPDX-License-Identifier: Apache-2.0
// Jobs in groups with counts, each a filter.

import { html } from "../../shared/html.js";
import { get } from "../../shared/api.js";
import { blockerText, largestFirst } from "../../shared/blockers.js";
import { useLive } from "../../shared/live.js";
import { number, visible, words } from "../../shared/text.js";
import { Empty, Loaded } from "../../shared/widgets.js";
import { GROUP_NAMES, chosenOf, countsQuery, groupLink } from "./grouping.js";

/** @typedef {import("./jobs.js").Filters} Filters */

/** The server looks at each job that the filters leave, so counts are read less often than rows. */
export const COUNTS_MILLIS = 3000;

/** @param {{grouping: import("./grouping.js").Grouping, chosen: Filters}} properties */
export function Groups({ grouping, chosen }) {
  const { field, key, by } = grouping;
  const groups = useLive(
    async (signal) =>
      chosenOf((await get("/v1/jobs/counts", countsQuery(chosen, by), signal)).items, chosen.blocker),
    [by, JSON.stringify(chosen)],
    { pause: COUNTS_MILLIS },
  );
  const name = key ? "label " + key : (GROUP_NAMES[field] ?? field);
  return html`<${Loaded} of=${groups}>${(/** @type {any[]} */ items) =>
    items.length === 0
      ? html`<${Empty}>No job is in a group.<//>`
      : html`<ul class="groups" aria-label=${"Jobs by " + visible(name)}>
          ${largestFirst(items, (item) => item[field]).map(
            (item) =>
              html`<li key=${item[field]}>
                ${item[field] === ""
                  ? textOf(field, item[field])
                  : html`<a href=${groupLink(location.search, grouping, item[field])}>${textOf(field, item[field])}</a>`}
                ${" "}<span class="faint">${number(item.count)}</span>
              </li>`,
          )}
        </ul>`}<//>`;
}

/** @param {string} field @param {string} value */
function textOf(field, value) {
  if (field === "blocker") {
    return blockerText(value);
  }
  return visible(field === "state" ? words(value) : value || "none");
}
