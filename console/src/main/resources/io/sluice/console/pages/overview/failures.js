// SPDX-License-Identifier: Apache-2.0
// The jobs that failed in the last hour.

import { html } from "../../shared/html.js";
import { getAll } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { number, serverNow, visible } from "../../shared/text.js";
import { Empty, Loaded, Table, When } from "../../shared/widgets.js";
import { failuresSince } from "./jobs.js";

const HOUR = 3_600_000;

/** Failed jobs that are read, newest submission first, and entries that are shown. */
const JOBS_MAX = 500;
const ROWS_MAX = 15;

const FIELDS =
  "items.id,items.metadata.name,items.metadata.namespace,items.status.reason,items.status.finishedAt,nextCursor";

export function Failures() {
  const failed = useLive(
    (signal) => getAll("/v1/jobs", { state: "FAILED", fields: FIELDS }, { max: JOBS_MAX, signal }),
    [],
    { when: ({ object }) => object.kind === "Job" && object.state === "FAILED", pause: 5000, every: 60_000 },
  );
  return html`<${Loaded} of=${failed}>${(/** @type {{items: Job[], complete: boolean}} */ data) => {
    const groups = failuresSince(data.items, serverNow() - HOUR);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    return groups.length === 0
      ? html`<${Empty}>No job failed in the last hour.<//>`
      : html`<p>
            ${number(count)} failed; <a href="/jobs?state=FAILED">all failed jobs</a>${data.complete
              ? ""
              : `. Only the ${JOBS_MAX} failed jobs that were submitted last are considered.`}
          </p>
          <${Table} caption="Failed jobs" head=${["Job, the newest", "Reason", "Failed", "Count"]}>
            ${groups.slice(0, ROWS_MAX).map(
              ({ newest, count }) =>
                html`<tr key=${newest.id}>
                  <td><a href=${"/jobs/" + encodeURIComponent(newest.id)}>${visible(newest.metadata.namespace)} / ${visible(newest.metadata.name)}</a></td>
                  <td>${visible(newest.status.reason ?? "")}</td>
                  <td><${When} at=${newest.status.finishedAt} /></td>
                  <td>${number(count)}</td>
                </tr>`,
            )}
          <//>
          ${groups.length > ROWS_MAX && html`<p class="faint">${groups.length - ROWS_MAX} more kinds of failures.</p>`}`;
  }}<//>`;
}
