// SPDX-License-Identifier: Apache-2.0
// The attempts of a job over time: waiting, starting, running and draining in different colours.

import { html } from "../../shared/html.js";
import { getAll, pathOf } from "../../shared/api.js";
import { OFTEN, useLive, useTick } from "../../shared/live.js";
import { duration, moment, serverNow, shortTime, visible, words } from "../../shared/text.js";
import { Empty, Loaded, State, Table, When } from "../../shared/widgets.js";
import { rowsOf } from "./attempt-phases.js";

/** @typedef {import("./attempt-phases.js").Attempt} Attempt */

/** Attempts that are drawn. */
const DRAWN_MAX = 40;
const READ_MAX = 500;

/** @param {{job: Job}} properties */
export function Attempts({ job }) {
  const attempts = useLive(
    (signal) => getAll(pathOf`/v1/jobs/${job.id}/attempts`, {}, { max: READ_MAX, signal }),
    [job.id],
    { when: (event) => event.job?.id === job.id, pause: OFTEN },
  );
  return html`<${Loaded} of=${attempts}>${(/** @type {{items: Attempt[], complete: boolean}} */ data) =>
    html`<${Picture} attempts=${data.items} job=${job} />
      ${data.items.length > 0 && html`<${List} attempts=${data.items} />`}
      ${!data.complete && html`<p class="faint">Older attempts are left out.</p>`}`}<//>`;
}

/** @param {{attempts: Attempt[], job: Job}} properties */
function Picture({ attempts, job }) {
  useTick(1000);
  const now = serverNow();
  const rows = rowsOf(attempts, job, now).slice(-DRAWN_MAX);
  const begin = Math.min(...rows.flatMap(({ phases }) => phases.map(({ from }) => from)));
  const end = Math.max(...rows.flatMap(({ phases }) => phases.map(({ to }) => to)));
  if (rows.length === 0 || !(end > begin)) {
    return html`<${Empty}>No attempt yet.<//>`;
  }
  /** @param {number} time */
  const x = (time) => (100 * (time - begin)) / (end - begin);
  return html`<div class="gantt" role="group" aria-label="Attempts over time">
    <p class="legend">
      ${["waiting", "starting", "running", "draining"].map((phase) => html`<span class=${"key " + phase}>${phase}</span>`)}
    </p>
    ${rows.map(
      ({ name, phases }) =>
        html`<div class="gantt-row">
          <span class="gantt-name">${name}</span>
          <div class="gantt-line" role="img" aria-label=${name + ": " + phases.map(({ phase, from, to }) => phase + " " + duration(to - from)).join(", ")}>
            ${phases.map(
              ({ phase, from, to }) =>
                html`<span
                  class=${"bar " + phase}
                  style=${{ left: x(from) + "%", width: Math.max(0.3, x(to) - x(from)) + "%" }}
                  title=${`${phase} for ${duration(to - from)}, from ${moment(from)}`}
                ></span>`,
            )}
          </div>
        </div>`,
    )}
    <p class="gantt-scale faint"><span>${shortTime(begin)}</span><span>${shortTime(end)}</span></p>
  </div>`;
}

/** @param {{attempts: Attempt[]}} properties */
function List({ attempts }) {
  return html`<${Table}
    caption="Attempts, newest first"
    head=${["Attempt", "State", "Admitted", "Started", "Ended", "Slices", "Outcome"]}
  >
    ${attempts.map(
      (one) =>
        html`<tr key=${one.index + "/" + one.attempt}>
          <td>${one.index}.${one.attempt}</td>
          <td><${State} state=${one.state} /></td>
          <td><${When} at=${one.admittedAt} /></td>
          <td><${When} at=${one.startedAt} /></td>
          <td><${When} at=${one.endedAt} /></td>
          <td>${(one.assignment?.slices ?? []).slice(0, 8).map(visible).join(", ")}</td>
          <td>
            ${words(one.outcome ?? one.drain?.cause)} ${visible(one.message ?? "")}
          </td>
        </tr>`,
    )}
  <//>`;
}
