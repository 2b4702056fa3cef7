// SPDX-License-Identifier: Apache-2.0
// Actions on many jobs at once.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { forEach } from "../../shared/api.js";
import { hasEnded, prioritize, priorityClasses, requestOf } from "../../shared/job-actions.js";
import { may, whyNot } from "../../shared/session.js";
import { counted, number, visible } from "../../shared/text.js";
import { Action, ask, notify } from "../../shared/widgets.js";

/** Jobs that one action changes at most. */
export const BULK_MAX = 1000;

/**
 * @param {{selected: Map<string, Job>, clear: () => void, selectFirst: () => void, count: number}} properties
 */
export function BulkActions({ selected, clear, selectFirst, count }) {
  const [progress, setProgress] = useState("");
  const jobs = [...selected.values()];
  const live = jobs.filter((job) => !hasEnded(job));
  const denied = live.find((job) => !may("operate", job.metadata.namespace));
  const refused =
    live.length === 0
      ? "select jobs that have not ended"
      : denied
        ? visible(denied.metadata.name) + ": " + whyNot("operate", denied.metadata.namespace)
        : false;
  /**
   * @param {string} title
   * @param {(job: Job, values: Record<string, string>) => Promise<unknown>} action
   * @param {Partial<import("../../shared/widgets.js").Question>} [more]
   */
  const act = async (title, action, more = {}) => {
    const values = await ask({ title: title + " " + counted(live.length, "job") + "?", confirm: title, ...more });
    if (!values) {
      return;
    }
    const failures = await forEach(
      live,
      (job) => action(job, values),
      (done) => setProgress(done + " of " + live.length),
    );
    setProgress("");
    const first = failures[0];
    notify(
      counted(live.length - failures.length, "request") + " accepted" +
        (first ? "; " + failures.length + " refused, such as " + first.item.metadata.name + ": " + first.failure.message : ""),
      first ? "bad" : "good",
    );
    clear();
  };
  return html`<div class="buttons bulk" role="group" aria-label="Actions on selected jobs">
    <span aria-live="polite">${progress || (selected.size ? selected.size + " of " + number(count) + " selected" : counted(count, "job"))}</span>
    <button type="button" onClick=${selected.size ? clear : selectFirst}>
      ${selected.size ? "Select none" : "Select the first " + number(Math.min(count, BULK_MAX))}
    </button>
    <${Action} refused=${refused} onClick=${() => act("Hold", (job) => requestOf(job.id, "hold"))}>Hold<//>
    <${Action} refused=${refused} onClick=${() => act("Release", (job) => requestOf(job.id, "release"))}>Release<//>
    <${Action}
      refused=${refused}
      onClick=${async () =>
        act("Prioritize", (job, values) => prioritize(job.id, values.class), {
          fields: [{ name: "class", label: "Priority class", choices: await priorityClasses() }],
        })}
      >Priority<//>
    <${Action}
      kind="danger"
      refused=${refused}
      onClick=${() => act("Cancel", (job) => requestOf(job.id, "cancel"), { danger: true, confirm: "Cancel them" })}
      >Cancel<//>
  </div>`;
}
