// SPDX-License-Identifier: Apache-2.0
// One job: why it waits, its attempts over time, output, events, manifest, and what may be done.

import { html } from "../../shared/html.js";
import { get, pathOf, post } from "../../shared/api.js";
import { OFTEN, useLive } from "../../shared/live.js";
import { address, navigate } from "../../shared/router.js";
import {
  hasEnded,
  manifestOf,
  prioritize,
  priorityClasses,
  requestOf,
} from "../../shared/job-actions.js";
import { may, whyNot } from "../../shared/session.js";
import { counted, number, visible } from "../../shared/text.js";
import { Action, Facts, Loaded, State, Tabs, When, ask, copy, perform } from "../../shared/widgets.js";
import { Explanation } from "./job-explanation.js";
import { Attempts } from "./job-attempts.js";
import { Events } from "./job-events.js";
import { Logs } from "./job-logs.js";

const VIEWS = {
  summary: "Summary",
  logs: "Output",
  events: "Events",
  manifest: "Manifest",
};

/** @param {{id: string}} properties */
export default function JobPage({ id }) {
  const job = useLive((signal) => get(pathOf`/v1/jobs/${id}`, {}, signal), [id], {
    when: (event) => event.job?.id === id,
    pause: OFTEN,
  });
  const asked = address.value.query.get("view") ?? "summary";
  const view = Object.hasOwn(VIEWS, asked) ? asked : "summary";
  return html`<${Loaded} of=${job}>${(/** @type {Job} */ data) =>
    html`<h1>
        <a href=${"/jobs?namespace=" + encodeURIComponent(data.metadata.namespace)}>${visible(data.metadata.namespace)}</a
        >${" / "}${visible(data.metadata.name)} <${State} state=${data.status.state} />
        ${data.status.hold && html`<span class="state waiting">held</span>`}
      </h1>
      <${Actions} job=${data} />
      <${Tabs}
        label="Views of the job"
        views=${VIEWS}
        current=${view}
        href=${(/** @type {string} */ one) => "/jobs/" + id + (one === "summary" ? "" : "?view=" + one)}
      />
      ${view === "summary" && html`<${Summary} job=${data} />`}
      ${view === "logs" && html`<${Logs} job=${data} />`}
      ${view === "events" && html`<${Events} id=${id} />`}
      ${view === "manifest" && html`<${Manifest} job=${data} />`}`}<//>`;
}

/** @param {{job: Job}} properties */
function Actions({ job }) {
  const { namespace, name } = job.metadata;
  const refused = hasEnded(job)
    ? "the job has ended"
    : !may("operate", namespace) && whyNot("operate", namespace);
  const cancel = async () => {
    const values = await ask({
      title: "Cancel " + visible(name) + "?",
      text: "A waiting job ends at once. A running job gets SIGTERM and its grace period.",
      confirm: "Cancel the job",
      danger: true,
    });
    if (values) {
      await perform(() => requestOf(job.id, "cancel"), "Cancellation requested");
    }
  };
  const changePriority = async () => {
    const values = await ask({
      title: "Change the priority of " + visible(name),
      confirm: "Change",
      fields: [
        {
          name: "class",
          label: "Priority class",
          choices: await priorityClasses(),
          value: job.spec.priorityClass,
        },
      ],
    });
    if (values) {
      await perform(() => prioritize(job.id, values.class), "Another priority class requested");
    }
  };
  const resubmit = async () => {
    const values = await ask({
      title: "Submit " + visible(name) + " again?",
      text: "A new job gets the manifest of this one.",
      confirm: "Submit",
    });
    if (values) {
      await perform(async () => {
        const accepted = await post("/v1/jobs", { body: manifestOf(job) });
        navigate("/jobs/" + accepted.id);
      }, "Submitted");
    }
  };
  return html`<div class="buttons" role="group" aria-label="Actions on the job">
    ${job.status.hold
      ? html`<${Action}
          refused=${refused}
          onClick=${() => perform(() => requestOf(job.id, "release"), "Release requested")}
          >Release<//
        >`
      : html`<${Action}
          refused=${refused}
          onClick=${() => perform(() => requestOf(job.id, "hold"), "Hold requested")}
          >Hold<//
        >`}
    <${Action} refused=${refused} onClick=${changePriority}>Priority<//>
    <${Action}
      refused=${!may("submit", namespace) && whyNot("submit", namespace)}
      onClick=${resubmit}
      >Submit again<//
    >
    <${Action} kind="danger" refused=${refused} onClick=${cancel}>Cancel<//>
  </div>`;
}

/** @param {{job: Job}} properties */
function Summary({ job }) {
  const { spec, status } = job;
  const { accelerator, array } = spec;
  const { indices, cost } = /** @type {any} */ (status);
  return html`${!hasEnded(job) && html`<${Explanation} job=${job} />`}
    ${hasEnded(job) && status.reason && html`<p class="panel">${visible(status.reason)}</p>`}
    <h2>Attempts</h2>
    <${Attempts} job=${job} />
    <h2>Facts</h2>
    <${Facts}
      facts=${[
        ["Queue", html`<a href=${"/jobs?queue=" + encodeURIComponent(spec.queue) + "&namespace=" + encodeURIComponent(job.metadata.namespace)}>${visible(spec.queue)}</a>`],
        ["ClusterQueue", html`<a href=${"/queues?queue=" + encodeURIComponent(status.clusterQueue)}>${visible(status.clusterQueue)}</a>`],
        ["Priority", status.priority + (spec.priorityClass ? " (" + visible(spec.priorityClass) + ")" : "")],
        ["Compute class", spec.computeClass && visible(spec.computeClass)],
        ["Slices", accelerator && visible(accelerator.slices + " × " + accelerator.type + " " + accelerator.topology)],
        ["Time limit", spec.timeLimit],
        ["Array", array && indices && counted(indices.count, "index", "indices") + ": " + indices.pending + " waiting, " + indices.live + " live, " + indices.ended + " ended, " + indices.failedCount + " failed"],
        ["Created", html`<${When} at=${status.createdAt} />`],
        ["Ended", status.finishedAt && html`<${When} at=${status.finishedAt} />`],
        ["Held", status.hold && html`by ${visible(status.hold.by)}, <${When} at=${status.hold.since} />`],
        ["Cost so far", cost && cost.estimated + " for " + cost.chipHours + " chip-hours"],
        ["Labels", job.metadata.labels && Object.entries(job.metadata.labels).map(([key, value]) => html`<a class="label" href=${"/jobs?label=" + encodeURIComponent(key + "=" + value)}>${visible(key)}=${visible(value)}</a> `)],
        ["Attempts", number(status.attempts)],
        ["Id", html`<code>${job.id}</code>`],
      ]}
    />`;
}

/** @param {{job: Job}} properties */
function Manifest({ job }) {
  const text = JSON.stringify(manifestOf(job), undefined, 2);
  return html`<p>
      As it was submitted, with the defaults of its compute class and later changes. It can be
      submitted again.
    </p>
    <${Action} onClick=${() => copy(text)}>Copy<//>
    <pre tabindex="0" aria-label="Manifest of the job">${visible(text)}</pre>`;
}
