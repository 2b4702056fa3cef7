// SPDX-License-Identifier: Apache-2.0
// All pipelines by namespace: the states of their last runs, and when they start next.

import { html } from "../../shared/html.js";
import { get, getAll, pathOf } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { number, visible, words } from "../../shared/text.js";
import { Choice, Empty, Failure, Loaded, Table, TextFilter, When, tone } from "../../shared/widgets.js";
import { rowsByNamespace } from "./pipeline-rows.js";

const PIPELINES_MAX = 1000;
const RUNS_MAX = 500;
const RUN_FIELDS = ["id", "name", "namespace", "pipeline", "state", "reason", "lateness"];
/** Schedules fire without an event of their own. */
const SCHEDULES_EVERY = 15_000;

/** @param {WatchEvent} event */
const isOfRun = (event) => event.run !== undefined;

export default function Pipelines() {
  const { query } = address.value;
  const filter = { namespace: query.get("namespace") ?? "", text: query.get("text") ?? "" };
  const pipelines = useLive(
    (signal) =>
      getAll(
        "/v1/pipelines",
        { fields: "items.metadata,items.status,nextCursor" },
        { max: PIPELINES_MAX, signal },
      ),
    [],
    { when: isOfRun, pause: 5000 },
  );
  const runs = useLive(
    (signal) =>
      get("/v1/runs", {
        limit: RUNS_MAX,
        fields: RUN_FIELDS.map((field) => "items." + field).join(),
      }, signal),
    [],
    { when: isOfRun, pause: 2000 },
  );
  const schedules = useLive(
    (signal) => getAll("/v1/schedules", {}, { max: PIPELINES_MAX, signal }),
    [],
    { when: isOfRun, pause: 5000, every: SCHEDULES_EVERY },
  );
  return html`<h1>Pipelines</h1>
    <${Failure} failure=${runs.failure ?? schedules.failure} />
    <${Loaded} of=${pipelines}>${(/** @type {{items: any[], complete: boolean}} */ data) => {
      const namespaces = [...new Set(data.items.map(({ metadata }) => metadata.namespace))].sort();
      const rows = rowsByNamespace(
        data.items,
        schedules.data?.items ?? [],
        runs.data?.items ?? [],
        filter,
      );
      return html`<div class="filters" role="search" aria-label="Filter pipelines">
          <${Choice}
            label="Namespace"
            value=${filter.namespace}
            choices=${[["", "all"], ...namespaces.map((name) => [name, visible(name)])]}
            onValue=${(/** @type {string} */ namespace) => setQuery({ namespace })}
          />
          <${TextFilter}
            label="Name contains"
            value=${filter.text}
            onValue=${(/** @type {string} */ text) => setQuery({ text })}
          />
        </div>
        ${!data.complete &&
        html`<p class="faint">The first ${number(PIPELINES_MAX)} pipelines by namespace and name. There are more.</p>`}
        ${data.items.length === 0 &&
        html`<${Empty}>There is no pipeline yet. Save one with <code>./sluice apply -f pipeline.yaml</code>.<//>`}
        ${data.items.length > 0 && rows.size === 0 && html`<${Empty}>No pipeline meets the filters.<//>`}
        ${[...rows].map(
          ([namespace, own]) => html`<section key=${namespace}>
            <h2>${visible(namespace)}</h2>
            <${Table}
              kind="pipelines"
              caption=${"Pipelines of " + visible(namespace)}
              head=${["Name", "Last runs, newest right", "Runs", "Next start", "Schedules"]}
            >
              ${own.map((row) => html`<${PipelineRow} key=${row.name} row=${row} />`)}
            <//>
          </section>`,
        )}`;
    }}<//>`;
}

/** @param {{row: import("./pipeline-rows.js").Row}} properties */
function PipelineRow({ row }) {
  const paused = row.schedules.filter((one) => one.paused).length;
  return html`<tr>
    <td><a href=${pathOf`/pipelines/${row.namespace}/${row.name}`}>${visible(row.name)}</a></td>
    <td>
      ${row.last.length === 0
        ? html`<span class="faint">${row.runs === 0 ? "none yet" : "none among the newest " + RUNS_MAX}</span>`
        : html`<span class="run-dots">${row.last.map((run) => html`<${RunDot} key=${run.id} run=${run} />`)}</span>`}
    </td>
    <td>${number(row.runs)}</td>
    <td>${row.next ? html`<${When} at=${row.next} />` : html`<span class="faint">none</span>`}</td>
    <td>
      ${row.schedules.length === 0 && html`<span class="faint">none</span>`}
      ${row.schedules.length > 0 && paused === 0 && html`<span class="state good">on</span>`}
      ${paused > 0 &&
      html`<span class="state waiting">${paused === row.schedules.length ? "paused" : paused + " of " + row.schedules.length + " paused"}</span>`}
    </td>
  </tr>`;
}

/** The sign of a state, beside its colour. @type {Record<string, string>} */
const SIGNS = { SUCCEEDED: "✓", FAILED: "✗", CANCELLED: "–", SKIPPED: "·", RUNNING: "▸", QUEUED: "…" };

/** @param {{run: any}} properties */
function RunDot({ run }) {
  const late = run.lateness && run.lateness !== "IN_TIME" ? ", " + words(run.lateness) : "";
  const name = visible(run.name) + ": " + words(run.state) + late;
  return html`<a
    class=${"run-dot " + tone(run.state)}
    href=${pathOf`/runs/${run.id}`}
    title=${run.reason ? name + ": " + visible(run.reason) : name}
    aria-label=${name}
    ><span aria-hidden="true">${SIGNS[run.state] ?? "?"}</span></a
  >`;
}
