// SPDX-License-Identifier: Apache-2.0
// The form that starts a run of a pipeline.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { pathOf, post } from "../../shared/api.js";
import { navigate } from "../../shared/router.js";
import { may, whyNot } from "../../shared/session.js";
import { visible } from "../../shared/text.js";
import { Failure } from "../../shared/widgets.js";
import { readParameters, textOf, timeOf } from "./pipeline-parameters.js";

/** @param {{pipeline: any}} properties */
export function StartForm({ pipeline }) {
  const { namespace, name } = pipeline.metadata;
  /** @type {import("./pipeline-parameters.js").Parameter[]} */
  const parameters = pipeline.spec.parameters ?? [];
  const [faults, setFaults] = useState(/** @type {Record<string, string>} */ ({}));
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [key, setKey] = useState(() => crypto.randomUUID());
  const refused = !may("submit", namespace) && whyNot("submit", namespace);
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (refused) {
      return;
    }
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const texts = Object.fromEntries(
      parameters.map((one) => [one.name, String(form.get("parameter " + one.name) ?? "")]),
    );
    const read = readParameters(parameters, texts);
    setFaults(read.faults);
    if (Object.keys(read.faults).length > 0) {
      return;
    }
    try {
      const run = await post(pathOf`/v1/pipelines/${namespace}/${name}/runs`, {
        // A second click on the button starts no second run.
        headers: { "Idempotency-Key": key },
        body: { parameters: read.values, logicalTime: timeOf(String(form.get("time") ?? "")) },
      });
      navigate("/runs/" + run.id);
    } catch (problem) {
      setKey(crypto.randomUUID());
      setFailure(/** @type {Error} */ (problem));
    }
  };
  return html`<form class="pipeline-form" onSubmit=${submit}>
    ${parameters.length === 0 && html`<p class="faint">The pipeline has no parameters.</p>`}
    ${parameters.length > 0 &&
    html`<p class="faint">
      A value is JSON: a number, a list, an object, true, null. Anything else is a text. A field that
      you empty gets its default.
    </p>`}
    ${parameters.map((one) => {
      const id = "parameter " + one.name;
      return html`<label key=${one.name}>
        <span><code>${visible(one.name)}</code> ${one.description && visible(one.description)}</span>
        <input
          name=${id}
          class="mono"
          defaultValue=${textOf(one.default)}
          aria-invalid=${faults[one.name] ? "true" : undefined}
        />
        ${faults[one.name] && html`<span class="fault" role="alert">${visible(faults[one.name])}</span>`}
      </label>`;
    })}
    <label class="narrow">Logical time, if it is not now <input type="datetime-local" name="time" step="1" /></label>
    <${Failure} failure=${failure} />
    <p class="buttons">
      <button class="primary" disabled=${Boolean(refused)} title=${refused || undefined}>Start a run</button>
      ${refused && html`<span class="faint">${visible(refused)}</span>`}
    </p>
  </form>`;
}
