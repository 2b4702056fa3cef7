// SPDX-License-Identifier: Apache-2.0
// The form of a ClusterQueue or Cohort: its numbers and policies. The text has all other fields.

import { html } from "../../shared/html.js";
import { visible } from "../../shared/text.js";
import { Table } from "../../shared/widgets.js";
import { FIELDS, QUOTAS, quotaRows, valueAt, withValue } from "./fields.js";

/** @param {{manifest: any, onChange: (manifest: any) => void}} properties */
export function QuotaForm({ manifest, onChange }) {
  /** @param {import("./fields.js").Path} path */
  const set = (path) => (/** @type {Event} */ event) =>
    onChange(withValue(manifest, path, /** @type {HTMLInputElement} */ (event.target).value.trim()));
  const rows = quotaRows(manifest);
  return html`<div class="filters">
      ${(FIELDS[manifest.kind] ?? []).map(({ label, path, choices, hint }) => {
        const value = String(valueAt(manifest, path) ?? "");
        return html`<label class="filter" key=${label}
          >${label}
          ${choices
            ? html`<select value=${value} onChange=${set(path)}>
                ${!choices.includes(value) && html`<option value=${value} selected>${value === "" ? "default" : visible(value)}</option>`}
                ${choices.map((choice) => html`<option key=${choice} value=${choice} selected=${choice === value}>${choice}</option>`)}
              </select>`
            : html`<input value=${value} placeholder=${hint} onInput=${set(path)} />`}
        </label>`;
      })}
    </div>
    ${rows.length === 0
      ? html`<p class="faint">It has no quota of its own. Add resource groups in the text.</p>`
      : html`<${Table} caption="Quota by flavor and resource" head=${["Flavor", "Resource", ...QUOTAS.map(([, label]) => label)]}>
          ${rows.map(
            ({ flavor, resource, path }) => html`<tr key=${path.join()}>
              <td>${visible(flavor)}</td>
              <td>${visible(resource)}</td>
              ${QUOTAS.map(
                ([field, label]) => html`<td key=${field}>
                  <input
                    class="quota-input"
                    aria-label=${label + " of " + visible(resource) + " in " + visible(flavor)}
                    value=${String(valueAt(manifest, [...path, field]) ?? "")}
                    placeholder=${field === "nominalQuota" ? "0" : "no limit"}
                    onInput=${set([...path, field])}
                  />
                </td>`,
              )}
            </tr>`,
          )}
        <//>`}`;
}
