// SPDX-License-Identifier: Apache-2.0
// The health of the fleet and the queues: what is wrong, or that nothing is.

import { html } from "../../shared/html.js";
import { counted, visible } from "../../shared/text.js";
import { findings } from "./findings.js";

/** @param {{fleet: any, queues: any[]}} properties */
export function Health({ fleet, queues }) {
  const found = findings(fleet, queues);
  const { sliceCount, hosts, clusters } = fleet;
  return found.length === 0
    ? html`<p class="health fine">
        Nothing is wrong with the fleet: ${counted(hosts, "host")}, ${counted(sliceCount.all, "slice")} in
        service${clusters?.length ? ", " + counted(clusters.length, "cluster") + " reached" : ""}.
      </p>`
    : html`<ul class="health">
        ${found.map(({ bad, text }) => html`<li class=${bad ? "bad" : "waiting"}>${visible(text)}</li>`)}
      </ul>`;
}
