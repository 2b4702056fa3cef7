// SPDX-License-Identifier: Apache-2.0
// The stored decisions, and whether the engine decides them the same way again.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { may, whyNot } from "../../shared/session.js";
import { moment, number, visible } from "../../shared/text.js";
import { Empty, Facts, Failure, Loaded, Table } from "../../shared/widgets.js";
import { Difference } from "./lines.js";

const SNAPSHOTS = 50;

export function Decisions() {
  if (!may("audit")) {
    return html`<${Empty}>The journal has all decisions, of all namespaces. Reading it ${whyNot("audit")}.<//>`;
  }
  return html`<${Journal} />`;
}

function Journal() {
  const journal = useLive((signal) => get("/v1/journal", { limit: SNAPSHOTS }, signal), [], { pause: 5000 });
  return html`<${Loaded} of=${journal}>${(/** @type {any} */ data) => html`<${Facts}
      facts=${[
        ["Batches that can be decided again", number(data.first) + " to " + number(data.last)],
        ["Version of the engine", data.engineVersion],
      ]}
    />
    <${Recheck} first=${data.first} last=${data.last} />
    <h2>Snapshots</h2>
    ${data.snapshots.length === 0
      ? html`<${Empty}>There is no snapshot yet.<//>`
      : html`<${Table} caption="Snapshots, newest first" head=${["Batch", "Taken", "Jobs", "Bytes"]}>
          ${data.snapshots.map(
            (/** @type {any} */ one) => html`<tr key=${one.sequence}>
              <td>${number(one.sequence)}</td>
              <td>${moment(one.takenAt)}</td>
              <td>${number(one.jobs)}</td>
              <td>${number(one.bytes)}</td>
            </tr>`,
          )}
        <//>`}
    ${data.nextCursor && html`<p class="faint">The newest ${SNAPSHOTS}. There are more.</p>`}`}<//>`;
}

/** @param {{first: number, last: number}} properties */
function Recheck({ first, last }) {
  const [from, setFrom] = useState(String(Math.max(first, last - 99)));
  const [batches, setBatches] = useState("100");
  const [result, setResult] = useState(/** @type {any} */ (undefined));
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [busy, setBusy] = useState(false);
  /** @param {number} sequence */
  const recheck = async (sequence) => {
    setBusy(true);
    setFailure(undefined);
    setResult(undefined);
    try {
      setResult(await get(pathOf`/v1/journal/${sequence}/recheck`, { batches }));
      setFrom(String(sequence));
    } catch (problem) {
      setFailure(/** @type {Error} */ (problem));
    }
    setBusy(false);
  };
  /** @param {(value: string) => void} set */
  const typed = (set) => (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).value);
  return html`<h2>Decide again</h2>
    <p class="faint">
      The server decides stored batches again from their inputs, and compares. It stops at the first
      difference, or after 20 seconds.
    </p>
    <form
      class="filters"
      onSubmit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        recheck(Number(from));
      }}
    >
      <label class="filter">From batch <input type="number" required min=${first} value=${from} onInput=${typed(setFrom)} /></label>
      <label class="filter">Batches <input type="number" required min="1" max="1000" value=${batches} onInput=${typed(setBatches)} /></label>
      <button class="primary" disabled=${busy}>Decide again</button>
    </form>
    ${busy && html`<p class="loading" role="status">The server decides again</p>`}
    <${Failure} failure=${failure} />
    <div aria-live="polite">${result && html`<${Result} result=${result} go=${recheck} />`}</div>`;
}

/** @param {{result: any, go: (sequence: number) => void}} properties */
function Result({ result, go }) {
  const { from, to, snapshot, same, difference, next } = result;
  return html`<div class="panel">
    <p>
      ${same ? html`<span class="state good">same</span>` : html`<span class="state bad">different</span>`}
      ${" "}Batches ${number(from)} to ${number(to)} were decided again, from snapshot ${number(snapshot)} on.
    </p>
    ${difference &&
    html`<p>
        The first difference is event ${difference.position} of batch ${number(difference.sequence)}
        ${!difference.recorded && ": it is not recorded"}${!difference.recomputed && ": it does not come again"}.
        ${difference.recorded?.kind && " Recorded: " + visible(difference.recorded.kind) + "."}
        ${difference.recomputed?.kind && " Decided now: " + visible(difference.recomputed.kind) + "."}
      </p>
      <${Difference} before=${difference.recorded ?? undefined} after=${difference.recomputed ?? undefined} label="Recorded and decided event" />`}
    ${same && next && html`<button type="button" onClick=${() => go(next)}>Go on with batch ${number(next)}</button>`}
  </div>`;
}
