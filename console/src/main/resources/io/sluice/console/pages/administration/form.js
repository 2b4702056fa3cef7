// SPDX-License-Identifier: Apache-2.0
// The form of a ClusterQueue or Cohort: its numbers and policies. The text has all other fields.

import { html } from "../../shared/html.js";
import { visible } from "../../shared/text.js";
import { Table } from "../../shared/widgets.js";
import { FIELDS, NAME, QUOTAS, pathText, quotaRows, valueAt, withValue } from "./fields.js";

/** @typedef {import("./fields.js").Path} Path */

/**
 * @param {{manifest: any, fresh: boolean, violations: {path: string, message: string}[], onChange: (manifest: any) => void}} properties
 *     `fresh`: the object is new; `violations`: the server's reasons to refuse the manifest
 */
export function QuotaForm({ manifest, fresh, violations, onChange }) {
  /** @param {Path} path */
  const set = (path) => (/** @type {Event} */ event) =>
    onChange(withValue(manifest, path, /** @type {HTMLInputElement} */ (event.target).value.trim()));
  /** @param {Path} path */
  const faultAt = (path) => violations.find((one) => one.path === pathText(path))?.message;
  const rows = quotaRows(manifest);
  const fields = [...(fresh ? [NAME] : []), ...(FIELDS[manifest.kind] ?? [])];
  return html`<div class="filters">
      ${fields.map(({ label, path, choices, hint }) => {
        const value = String(valueAt(manifest, path) ?? "");
        return html`<label class="filter" key=${label}
          >${label}
          ${choices
            ? html`<select value=${value} onChange=${set(path)}>
                ${!choices.includes(value) && html`<option value=${value} selected>${value === "" ? "default" : visible(value)}</option>`}
                ${choices.map((choice) => html`<option key=${choice} value=${choice} selected=${choice === value}>${choice}</option>`)}
              </select>`
            : html`<input value=${value} placeholder=${hint} aria-invalid=${faultAt(path) && "true"} onInput=${set(path)} />`}
          <${Fault} message=${faultAt(path)} />
        </label>`;
      })}
    </div>
    ${rows.length === 0
      ? html`<p class="faint">It has no quota of its own. Add resource groups in the text.</p>`
      : html`<${Table} caption="Quota by flavor and resource" head=${["Flavor", "Resource", ...QUOTAS.map(([, label]) => label)]}>
          ${rows.map(
            ({ flavor, resource, path, flavorPath }) => html`<tr key=${path.join()}>
              <td>
                ${fresh
                  ? html`<${QuotaInput} label=${"Flavor of " + visible(resource)} value=${flavor} fault=${faultAt(flavorPath)} onInput=${set(flavorPath)} />`
                  : visible(flavor)}
              </td>
              <td>${visible(resource)}</td>
              ${QUOTAS.map(
                ([field, label]) => html`<td key=${field}>
                  <${QuotaInput}
                    label=${label + " of " + visible(resource) + (flavor && " in " + visible(flavor))}
                    value=${String(valueAt(manifest, [...path, field]) ?? "")}
                    hint=${field === "nominalQuota" ? "0" : "no limit"}
                    fault=${faultAt([...path, field])}
                    onInput=${set([...path, field])}
                  />
                </td>`,
              )}
            </tr>`,
          )}
        <//>`}`;
}

/** @param {{label: string, value: string, hint?: string, fault?: string, onInput: (event: Event) => void}} properties */
function QuotaInput({ label, value, hint, fault, onInput }) {
  return html`<input
      class="quota-input"
      aria-label=${label}
      value=${value}
      placeholder=${hint}
      aria-invalid=${fault && "true"}
      onInput=${onInput}
    />
    <${Fault} message=${fault} />`;
}

/** @param {{message: string | undefined}} properties */
function Fault({ message }) {
  return message ? html`<span class="fault">${visible(message)}</span>` : null;
}
