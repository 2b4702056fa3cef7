// SPDX-License-Identifier: Apache-2.0
// The newest runs of a pipeline, and the state of each of their steps.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { forEach, get, pathOf } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { counted, moment, visible, words } from "../../shared/text.js";
import { Empty, Loaded, State, tone } from "../../shared/widgets.js";
import { moveBy, movedBy, stepNames } from "./pipeline-columns.js";

/** @typedef {import("./pipeline-columns.js").Column} Column */

const RUNS_MAX = 50;
const STEPS_MAX = 100;
/** The width of a column; pipelines.css has the same. */
const WIDTH = 36;
/** @type {Record<string, string>} */
const SIGNS = { SUCCEEDED: "✓", FAILED: "✗", CANCELLED: "–", SKIPPED: "·", RUNNING: "▸", QUEUED: "…", PENDING: "…", WAITING: "○" };

/** @param {{namespace: string, name: string}} properties */
export function Grid({ namespace, name }) {
  const known = useRef(/** @type {Map<string, Column>} */ (new Map()));
  const columns = useLive(
    async (signal) => {
      const { items } = await get("/v1/runs", { namespace, pipeline: name, limit: RUNS_MAX }, signal);
      return readSteps(items.reverse(), known, signal);
    },
    [namespace, name],
    { when: ({ run }) => run?.namespace === namespace && run.pipeline === name, pause: 1000 },
  );
  return html`<${Loaded} of=${columns}>${(/** @type {Column[]} */ data) =>
    data.length === 0 ? html`<${Empty}>There is no run yet.<//>` : html`<${Cells} columns=${data} />`}<//>`;
}

/**
 * Reads the steps of runs. Those of runs that have ended are read once.
 * @param {any[]} runs
 * @param {{current: Map<string, Column>}} known
 * @param {AbortSignal} signal
 */
async function readSteps(runs, known, signal) {
  /** @type {Map<string, Column>} */
  const columns = new Map();
  const failures = await forEach(runs, async (run) => {
    const before = known.current.get(run.id);
    if (before && run.endedAt && before.endedAt === run.endedAt) {
      columns.set(run.id, before);
      return;
    }
    const { steps } = await get(
      pathOf`/v1/runs/${run.id}`,
      { fields: "steps.name,steps.state" },
      signal,
    );
    columns.set(run.id, {
      ...run,
      steps: new Map(steps.map((/** @type {any} */ step) => [step.name, step.state])),
    });
  });
  if (failures.length > 0) {
    throw failures[0].failure;
  }
  known.current = columns;
  return runs.map(({ id }) => /** @type {Column} */ (columns.get(id)));
}

/** @param {{columns: Column[]}} properties */
function Cells({ columns }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const drawn = useRef(/** @type {string[]} */ ([]));
  const atEnd = useRef(true);
  const [current, setCurrent] = useState({ run: "", row: 0 });
  const ids = columns.map(({ id }) => id);
  useLayoutEffect(() => {
    const element = /** @type {HTMLDivElement} */ (box.current);
    // A run that is added leaves the runs that a user looks at where they are.
    if (atEnd.current) {
      element.scrollLeft = element.scrollWidth;
    } else {
      element.scrollLeft -= movedBy(drawn.current, ids) * WIDTH;
    }
    drawn.current = ids;
  }, [ids.join()]);
  const { names, more } = stepNames(columns, STEPS_MAX);
  const column = Math.max(0, ids.includes(current.run) ? ids.indexOf(current.run) : ids.length - 1);
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const size = { rows: names.length + 1, columns: ids.length };
    const to = moveBy(event.key, { row: current.row, column }, size);
    if (!to) {
      return;
    }
    event.preventDefault();
    setCurrent({ run: ids[to.column], row: to.row });
    const cell = box.current?.querySelector(`[data-cell="${to.row}/${to.column}"]`);
    /** @type {HTMLElement | null | undefined} */ (cell)?.focus();
  };
  /** @param {Column} run @param {number} row @param {number} index @param {string} state @param {string} [step] */
  const cell = (run, row, index, state, step) => {
    const name = visible(run.name) + (step ? ", " + visible(step) : "") + ": " + words(state);
    return html`<a
      class=${"cell " + tone(state)}
      href=${pathOf`/runs/${run.id}` + (step ? "?step=" + encodeURIComponent(step) : "")}
      title=${name + (step ? "" : ", " + moment(/** @type {any} */ (run).createdAt))}
      aria-label=${name}
      data-cell=${row + "/" + index}
      tabindex=${row === current.row && index === column ? 0 : -1}
      onFocus=${() => setCurrent({ run: run.id, row })}
      ><span aria-hidden="true">${SIGNS[state] ?? "?"}</span></a
    >`;
  };
  return html`<p class="legend">
      ${Object.keys(SIGNS).filter((state) => state !== "QUEUED").map(
        (state) => html`<span class=${"key " + tone(state)}>${SIGNS[state]} ${words(state)}</span>`,
      )}
    </p>
    <div
      class="run-grid"
      ref=${box}
      onKeyDown=${onKeyDown}
      onScroll=${() => {
        const { scrollLeft, scrollWidth, clientWidth } = /** @type {HTMLDivElement} */ (box.current);
        atEnd.current = scrollLeft + clientWidth >= scrollWidth - WIDTH / 2;
      }}
    >
      <table>
        <caption class="unseen">States of the steps of the newest runs. Arrow keys lead from cell to cell.</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            ${columns.map((run, i) => html`<th key=${run.id} scope="col">${cell(run, 0, i, run.state)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${names.map(
            (step, row) => html`<tr key=${step}>
              <th scope="row" title=${visible(step)}>${visible(step)}</th>
              ${columns.map((run, i) => {
                const state = run.steps.get(step);
                return html`<td key=${run.id}>${state && cell(run, row + 1, i, state, step)}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="faint">
      The newest ${counted(columns.length, "run")}, at most ${RUNS_MAX}, the newest right.
      ${more > 0 && " " + counted(more, "further step") + " are not drawn."}
      ${" "}Last run: <${State} state=${columns[columns.length - 1].state} />
    </p>`;
}
