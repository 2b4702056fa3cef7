// SPDX-License-Identifier: Apache-2.0
// One pipeline: its runs over time, schedules, the form that starts a run, its manifest.

import { html } from "../../shared/html.js";
import { get, pathOf, send } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { address, navigate } from "../../shared/router.js";
import { may, whyNot } from "../../shared/session.js";
import { counted, visible, words } from "../../shared/text.js";
import { Action, Facts, Loaded, Tabs, When, ask, copy, notify, perform } from "../../shared/widgets.js";
import { Lateness } from "./pipeline-lateness.js";
import { Grid } from "./pipeline-grid.js";
import { Schedules } from "./pipeline-schedules.js";
import { StartForm } from "./pipeline-start.js";

const VIEWS = { runs: "Runs", schedules: "Schedules", start: "Start a run", manifest: "Manifest" };

/** @param {{namespace: string, name: string}} properties */
export default function PipelinePage({ namespace, name }) {
  const path = pathOf`/v1/pipelines/${namespace}/${name}`;
  const pipeline = useLive((signal) => get(path, {}, signal), [path], {
    when: ({ run }) => run?.namespace === namespace && run.pipeline === name,
    pause: 5000,
  });
  const asked = address.value.query.get("view") ?? "runs";
  const view = Object.hasOwn(VIEWS, asked) ? asked : "runs";
  const page = pathOf`/pipelines/${namespace}/${name}`;
  return html`<h1>
      <a href=${"/pipelines?namespace=" + encodeURIComponent(namespace)}>${visible(namespace)}</a>${" / "}${visible(name)}
    </h1>
    <${Loaded} of=${pipeline}>${(/** @type {any} */ data) => html`<${Summary} pipeline=${data} path=${path} />
      <${Tabs}
        label="Views of the pipeline"
        views=${VIEWS}
        current=${view}
        href=${(/** @type {string} */ one) => page + (one === "runs" ? "" : "?view=" + one)}
      />
      ${view === "runs" && html`<${Outlook} namespace=${namespace} name=${name} /><${Grid} namespace=${namespace} name=${name} />`}
      ${view === "schedules" && html`<${Schedules} pipeline=${data} />`}
      ${view === "start" && html`<${StartForm} key=${data.status?.version} pipeline=${data} />`}
      ${view === "manifest" && html`<${Manifest} pipeline=${data} />`}`}<//>`;
}

/** @param {{pipeline: any, path: string}} properties */
function Summary({ pipeline, path }) {
  const { metadata, spec, status } = pipeline;
  const remove = async () => {
    /** @type {any} */
    let checked;
    try {
      checked = await (await send("DELETE", path, { query: { dryRun: true } })).json();
    } catch (problem) {
      notify(/** @type {Error} */ (problem).message, "bad");
      return;
    }
    const sure = await ask({
      title: "Delete the pipeline " + visible(metadata.name) + "?",
      text: html`<p>The server has checked it: the deletion would pass${checked.preview?.complete === false ? ", as far as it was checked" : ""}.</p>
        <ul>
          ${checked.results.map((/** @type {any} */ one) => html`<li>${visible(one.kind)} ${visible(one.namespace)}/${visible(one.name)} would be ${words(one.result)}.</li>`)}
          <li>${counted((spec.schedules ?? []).length, "schedule")} would fire no more.</li>
          <li>${counted(status?.runs ?? 0, "run")} would stay readable, and those in progress continue.</li>
        </ul>`,
      confirm: "Delete the pipeline",
      danger: true,
    });
    if (sure) {
      const etag = { "If-Match": `"${status.version}"` };
      if (await perform(() => send("DELETE", path, { headers: etag }), "Deleted")) {
        navigate("/pipelines");
      }
    }
  };
  return html`<${Facts}
      facts=${[
        ["Version", status?.version],
        ["Saved", status?.updatedAt && html`<${When} at=${status.updatedAt} />`],
        ["Steps", counted(spec.steps.length, "step") + (spec.exitHandler ? " and an exit handler" : "")],
        ["Deadline of a run", spec.deadline],
        ["Time limit of a run", spec.timeLimit],
        ["Priority class", spec.priorityClass && visible(spec.priorityClass)],
      ]}
    />
    ${(pipeline.warnings ?? []).map((/** @type {string} */ text) => html`<p class="state waiting">${visible(text)}</p>`)}
    <p class="buttons">
      <${Action}
        kind="danger"
        refused=${!may("submit", metadata.namespace) && whyNot("submit", metadata.namespace)}
        onClick=${remove}
        >Delete<//
      >
    </p>`;
}

/** When the runs in progress are expected to end. @param {{namespace: string, name: string}} properties */
function Outlook({ namespace, name }) {
  const runs = useLive(
    (signal) => get("/v1/runs", { namespace, pipeline: name, state: "RUNNING", limit: 10 }, signal),
    [namespace, name],
    { when: ({ run }) => run?.namespace === namespace && run.pipeline === name, pause: 2000, every: 30_000 },
  );
  const due = (runs.data?.items ?? []).filter((/** @type {any} */ run) => run.deadline || run.expectedFinish);
  return due.length === 0
    ? null
    : html`<ul class="outlook" aria-label="Runs in progress and their deadlines">
        ${due.map(
          (/** @type {any} */ run) => html`<li key=${run.id}>
            <a href=${pathOf`/runs/${run.id}`}>${visible(run.name)}</a>
            ${run.expectedFinish
              ? html` is expected to end between <${When} at=${run.expectedFinish.earliest} /> and ${" "}<${When} at=${run.expectedFinish.latest} />`
              : " has no expectation yet"}${run.deadline && html`; its deadline is <${When} at=${run.deadline} />`}
            ${" "}<${Lateness} of=${run.lateness} />
          </li>`,
        )}
      </ul>`;
}

/** @param {{pipeline: any}} properties */
function Manifest({ pipeline }) {
  const { status: _status, warnings: _warnings, ...manifest } = pipeline;
  const text = JSON.stringify(manifest, undefined, 2);
  return html`<${Action} onClick=${() => copy(text)}>Copy<//>
    <pre tabindex="0" aria-label="Manifest of the pipeline">${visible(text)}</pre>`;
}
