// SPDX-License-Identifier: Apache-2.0
// One run of a pipeline: the graph of its steps, their jobs, and whether it meets its deadline.

import { html } from "../../shared/html.js";
import { get, pathOf, post } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { address } from "../../shared/router.js";
import { may, whyNot } from "../../shared/session.js";
import { duration, moment, serverNow, visible } from "../../shared/text.js";
import { Action, Facts, Loaded, State, Table, When, ask, perform } from "../../shared/widgets.js";
import { Lateness } from "./pipeline-lateness.js";
import { Graph } from "./run-graph.js";
import { Steps } from "./run-table.js";

/** A run of thousands of parts takes long to read. */
const PAUSE = 500;
/** The expected end moves without an event. */
const EVERY = 30_000;

/** @param {{id: string}} properties */
export default function RunPage({ id }) {
  const run = useLive((signal) => get(pathOf`/v1/runs/${id}`, {}, signal), [id], {
    when: (event) => event.run?.id === id,
    pause: PAUSE,
    every: EVERY,
  });
  const chosen = address.value.query.get("step") ?? "";
  return html`<${Loaded} of=${run}>${(/** @type {any} */ data) => html`<h1>
      <a href=${pathOf`/pipelines/${data.namespace}/${data.pipeline}`}>${visible(data.namespace)} / ${visible(data.pipeline)}</a>
      ${" / "}${visible(data.name)} <${State} state=${data.state} /> <${Lateness} of=${data.lateness} />
    </h1>
    ${data.reason && html`<p class="sentence">${visible(data.reason)}</p>`}
    <${Actions} run=${data} reload=${run.reload} />
    <${RunFacts} run=${data} />
    <h2>Graph</h2>
    <${Graph} key=${id} steps=${data.steps} chosen=${chosen} />
    <h2>Steps</h2>
    <${Steps} run=${data} steps=${data.steps} chosen=${chosen} />
    <${LatenessChanges} changes=${data.latenessChanges ?? []} />`}<//>`;
}

/** @param {{run: any, reload: () => void}} properties */
function Actions({ run, reload }) {
  const resumeDenied = !may("submit", run.namespace) && whyNot("submit", run.namespace);
  const cancelDenied = !may("operate", run.namespace) && whyNot("operate", run.namespace);
  const cancel = async () => {
    const sure = await ask({
      title: "Cancel " + visible(run.name) + "?",
      text: "Its live jobs are cancelled. Its exit handler still runs.",
      confirm: "Cancel the run",
      danger: true,
    });
    if (sure && (await perform(() => post(pathOf`/v1/runs/${run.id}/cancel`), "Cancelled"))) {
      reload();
    }
  };
  const resume = async () => {
    if (await perform(() => post(pathOf`/v1/runs/${run.id}/resume`), "Resumed: what succeeded is kept")) {
      reload();
    }
  };
  const resumable = run.state === "FAILED" || run.state === "CANCELLED";
  return html`<div class="buttons actions" role="group" aria-label="Actions on the run">
    <${Action} refused=${resumeDenied || (!resumable && "only a run that failed or was cancelled is resumed")} onClick=${resume}>Resume<//>
    <${Action} kind="danger" refused=${cancelDenied || (run.endedAt && "the run has ended")} onClick=${cancel}>Cancel<//>
  </div>`;
}

/** @param {{run: any}} properties */
function RunFacts({ run }) {
  const { startedAt, endedAt, expectedFinish, deadline } = run;
  const parameters = Object.entries(run.parameters ?? {});
  return html`<h2 class="unseen">Facts</h2>
    <${Facts}
      facts=${[
        ["Started", startedAt && html`<${When} at=${startedAt} />`],
        ["Ended", endedAt && html`<${When} at=${endedAt} />`],
        [endedAt ? "Took" : "Runs for", startedAt && duration((endedAt ? Date.parse(endedAt) : serverNow()) - Date.parse(startedAt))],
        ["Deadline", deadline && html`<${When} at=${deadline} />`],
        ["Expected end", expectedFinish && html`<${When} at=${expectedFinish.earliest} /> to <${When} at=${expectedFinish.latest} />`],
        ["Logical time", run.logicalTime && moment(run.logicalTime)],
        ["Started by", run.schedule ? "schedule " + visible(run.schedule) : visible(run.createdBy)],
        ["Version of the pipeline", run.version],
        ["Parameters", parameters.length > 0 && parameters.map(([name, value]) => html`<div><code>${visible(name)}=${visible(JSON.stringify(value))}</code></div>`)],
        ["Id", html`<code>${run.id}</code>`],
      ]}
    />`;
}

/** @param {{changes: {at: string, lateness: string, message: string}[]}} properties */
function LatenessChanges({ changes }) {
  return changes.length === 0
    ? null
    : html`<h2>Outlook over time</h2>
        <${Table} caption="Changes of the outlook" head=${["Time", "Outlook", "Why"]}>
          ${changes.map(
            (one) => html`<tr key=${one.at}>
              <td>${moment(one.at)}</td>
              <td><${Lateness} of=${one.lateness} /></td>
              <td>${visible(one.message)}</td>
            </tr>`,
          )}
        <//>`;
}
