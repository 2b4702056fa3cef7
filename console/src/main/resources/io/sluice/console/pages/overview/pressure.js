// SPDX-License-Identifier: Apache-2.0
// The ClusterQueues with the most waiting jobs, and their use of quota.

import { html } from "../../shared/html.js";
import { get } from "../../shared/api.js";
import { number, visible } from "../../shared/text.js";
import { Empty, When } from "../../shared/widgets.js";
import { QuotaBars } from "../queues/bars.js";

const QUEUES_MAX = 12;

/**
 * Returns the ClusterQueues that are shown: those with the most waiting jobs.
 * @param {any[]} queues
 */
const shownOf = (queues) =>
  [...queues].sort((one, other) => pendingOf(other) - pendingOf(one)).slice(0, QUEUES_MAX);

/**
 * Reads the time of the oldest waiting job of each ClusterQueue.
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, string>>}
 */
export async function readOldest(signal) {
  const query = { by: "clusterQueue", state: "PENDING", held: false };
  const { items } = await get("/v1/jobs/counts", query, signal);
  return new Map(items.map((/** @type {any} */ group) => [group.clusterQueue, group.oldest]));
}

/**
 * @param {{queues: any[], oldest: Map<string, string> | undefined}} properties
 *     oldest: time of the oldest job that waits, by ClusterQueue
 */
export function Pressure({ queues, oldest }) {
  if (queues.length === 0) {
    return html`<${Empty}>There are no ClusterQueues.<//>`;
  }
  const shown = shownOf(queues);
  return html`<ul class="pressure">
      ${shown.map((queue) => {
        const { name } = queue.metadata;
        const time = oldest?.get(name);
        return html`<li key=${name}>
          <p>
            <a href=${"/queues?queue=" + encodeURIComponent(name)}>${visible(name)}</a>
            ${" "}${number(pendingOf(queue))} waiting, ${number(queue.status?.admittedWorkloads ?? 0)} admitted${time
              ? html`; the oldest was submitted <${When} at=${time} />`
              : ""}
          </p>
          <${QuotaBars} name=${name} object=${queue} />
        </li>`;
      })}
    </ul>
    ${queues.length > QUEUES_MAX &&
    html`<p><a href="/queues">All ${number(queues.length)} ClusterQueues</a></p>`}`;
}

/** @param {any} queue @returns {number} */
export const pendingOf = (queue) => queue.status?.pendingWorkloads ?? 0;
