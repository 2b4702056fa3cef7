// SPDX-License-Identifier: Apache-2.0
// The steps of a run as a table, each with its parts, their tries and their jobs.

import { html } from "../../shared/html.js";
import { pathOf, post } from "../../shared/api.js";
import { address, setQuery } from "../../shared/router.js";
import { may, whyNot } from "../../shared/session.js";
import { counted, duration, serverNow, visible, words } from "../../shared/text.js";
import { Action, Empty, State, Table, TextFilter, When, ask, perform } from "../../shared/widgets.js";
import { countsByState, dependenciesOf, shortened } from "./run-steps.js";

/** @typedef {import("./run-steps.js").Step} Step */

const STEPS_MAX = 300;
const TRIES_MAX = 200;
const OUTPUT_MAX = 200;

/** @param {{run: any, steps: Step[], chosen: string}} properties */
export function Steps({ run, steps, chosen }) {
  const text = address.value.query.get("text") ?? "";
  const found = steps.filter(({ name }) => name === chosen || name.includes(text));
  // The chosen step is in the table, whatever its place.
  const first = found.slice(0, STEPS_MAX);
  const later = found.slice(STEPS_MAX).filter(({ name }) => name === chosen);
  return html`${steps.length > 20 &&
    html`<div class="filters" role="search" aria-label="Filter steps">
      <${TextFilter}
        label="Name contains"
        value=${text}
        onValue=${(/** @type {string} */ value) => setQuery({ text: value })}
      />
    </div>`}
    ${found.length > STEPS_MAX && html`<p class="faint">The first ${STEPS_MAX} of ${counted(found.length, "step")}.</p>`}
    ${found.length === 0
      ? html`<${Empty}>No step meets the filter.<//>`
      : html`<${Table}
          kind="steps"
          caption="Steps of the run"
          head=${["Step", "State", "After", "Started", "Took", "Parts, tries and jobs", html`<span class="unseen">Actions</span>`]}
        >
          ${[...later, ...first].map(
            (step) => html`<${Row} key=${step.name} run=${run} step=${step} chosen=${step.name === chosen} />`,
          )}
        <//>`}`;
}

/** @param {{run: any, step: Step, chosen: boolean}} properties */
function Row({ run, step, chosen }) {
  const refused =
    !may("submit", run.namespace) ? whyNot("submit", run.namespace)
    : !run.endedAt ? "the run has not ended"
    : step.exitHandler ? "an exit handler runs with its run" : false;
  const rerun = async () => {
    const sure = await ask({
      title: "Run " + visible(step.name) + " again?",
      text: "All steps that depend on it run again too.",
      confirm: "Run it again",
    });
    if (sure) {
      await perform(() => post(pathOf`/v1/runs/${run.id}/steps/${step.name}/rerun`), "The step runs again");
    }
  };
  return html`<tr class=${chosen ? "chosen" : undefined} aria-current=${chosen ? "true" : undefined}>
    <th scope="row">
      ${visible(step.name)}${step.exitHandler && html`<br /><span class="faint">exit handler</span>`}
    </th>
    <td><${State} state=${step.state} />${step.reason && html`<br />${visible(step.reason)}`}</td>
    <td>
      ${dependenciesOf(step).map(
        ({ step: name, when }, i) =>
          html`${i > 0 && ", "}${visible(name)}${when !== "succeeded" && " (" + visible(when) + ")"}`,
      )}
    </td>
    <td><${When} at=${step.startedAt} /></td>
    <td>${tookOf(step)}</td>
    <td><${Tries} step=${step} open=${chosen} /></td>
    <td><${Action} refused=${refused} onClick=${rerun} aria-label=${"Run " + visible(step.name) + " again"}>Run again<//></td>
  </tr>`;
}

/** @param {{startedAt?: string, endedAt?: string}} timed */
function tookOf({ startedAt, endedAt }) {
  return startedAt && duration((endedAt ? Date.parse(endedAt) : serverNow()) - Date.parse(startedAt));
}

/** @param {{step: Step, open: boolean}} properties */
function Tries({ step, open }) {
  const counts = countsByState(step);
  const parts = counts.reduce((sum, [, count]) => sum + count, 0);
  if (step.parts.length === 0) {
    return null;
  }
  if (step.parts.length === 1) {
    return html`<${Try} one=${step.parts[0]} name="job" />`;
  }
  // What needs a look comes first.
  const tries = [...step.parts].sort(
    (one, other) => Number(one.state === "SUCCEEDED") - Number(other.state === "SUCCEEDED"),
  );
  const further = step.parts.length - parts;
  return html`<details open=${open}>
    <summary>
      ${counted(parts, "part")}: ${counts.map(([state, count]) => count + " " + words(state)).join(", ")}
      ${further > 0 && ", " + further + (further === 1 ? " earlier try" : " earlier tries")}
    </summary>
    <ol class="parts" tabindex="0" aria-label=${"Parts of " + visible(step.name)}>
      ${tries.slice(0, TRIES_MAX).map(
        (one) => html`<li key=${one.part + "/" + one.try}><${Try} one=${one} name=${"part " + one.part + (one.try > 1 ? ", try " + one.try : "")} /></li>`,
      )}
    </ol>
    ${step.parts.length > TRIES_MAX && html`<span class="faint">The first ${TRIES_MAX} of ${step.parts.length}.</span>`}
  </details>`;
}

/** @param {{one: import("./run-steps.js").Try, name: string}} properties */
function Try({ one, name }) {
  return html`${one.job ? html`<a href=${pathOf`/jobs/${one.job}`}>${name}</a>` : name}${" "}
    <${State} state=${one.state} /> <span class="faint">${tookOf(one)}</span>
    ${one.output !== undefined && html` <code>${shortened(visible(JSON.stringify(one.output)), OUTPUT_MAX)}</code>`}
    ${one.message && html` ${one.cause && words(one.cause) + ": "}${visible(one.message)}`}`;
}
