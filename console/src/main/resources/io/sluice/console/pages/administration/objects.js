// SPDX-License-Identifier: Apache-2.0
// The objects of some kinds: a list of each, and the editor of the chosen one.

import { html } from "../../shared/html.js";
import { getAll } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { address, navigate, setQuery } from "../../shared/router.js";
import { counted, visible } from "../../shared/text.js";
import { Choice, Empty, Loaded, Table, TextFilter, When } from "../../shared/widgets.js";
import { Editor } from "./editor.js";
import { KINDS, keyOf, summaryOf } from "./kinds.js";

const OBJECTS_MAX = 2000;
const SHOWN_MAX = 200;

/** @param {{view: string, kinds: string[]}} properties */
export function Objects({ view, kinds }) {
  const { query } = address.value;
  const asked = query.get("kind") ?? "";
  const kind = KINDS[kinds.includes(asked) ? asked : kinds[0]];
  const id = query.get("name") ?? "";
  const fresh = query.get("new") === "true";
  /** @param {Record<string, string>} values */
  const link = (values) => "/administration?" + new URLSearchParams({ view, kind: kind.plural, ...values });
  return html`<div class="filters">
      <${Choice}
        label="Kind"
        value=${kind.plural}
        choices=${kinds.map((one) => [one, KINDS[one].name])}
        onValue=${(/** @type {string} */ one) => navigate("/administration?" + new URLSearchParams({ view, kind: one }))}
      />
      <${TextFilter}
        label="Name contains"
        value=${query.get("text") ?? ""}
        onValue=${(/** @type {string} */ text) => setQuery({ text })}
      />
      <a class="button" href=${link({ new: "true" })}>New ${kind.kind}</a>
    </div>
    <div class=${id || fresh ? "list-and-editor" : ""}>
      <${List} key=${kind.plural} kind=${kind} brief=${Boolean(id || fresh)} chosen=${id} text=${query.get("text") ?? ""} link=${link} />
      ${(id || fresh) &&
      html`<${Editor}
        key=${kind.plural + " " + id}
        kind=${kind}
        id=${id}
        onDone=${(/** @type {string | undefined} */ written) => setQuery({ name: written, new: undefined })}
      />`}
    </div>`;
}

/**
 * @param {{kind: import("./kinds.js").Kind, brief: boolean, chosen: string, text: string, link: (values: Record<string, string>) => string}} properties
 */
function List({ kind, brief, chosen, text, link }) {
  const objects = useLive(
    (signal) => getAll("/v1/" + kind.plural, {}, { max: OBJECTS_MAX, signal }),
    [kind.plural],
    { when: ({ object }) => object.kind === kind.kind, pause: 2000, every: 30_000 },
  );
  return html`<${Loaded} of=${objects}>${(/** @type {{items: any[], complete: boolean}} */ { items, complete }) => {
    const found = items.filter((one) => keyOf(one, kind).includes(text));
    if (found.length === 0) {
      return html`<${Empty}>${items.length === 0 ? "There is none." : "None meets the filter."}<//>`;
    }
    return html`<div>
      <${Table} caption=${kind.name} kind="objects" head=${brief ? ["Name", "Content"] : ["Name", "Content", "Generation", "Created"]}>
        ${found.slice(0, SHOWN_MAX).map((one) => {
          const id = keyOf(one, kind);
          return html`<tr key=${id} class=${id === chosen ? "chosen" : undefined}>
            <td><a href=${link({ name: id })} aria-current=${id === chosen ? "true" : undefined}>${visible(id)}</a></td>
            <td>${visible(summaryOf(one))}</td>
            ${!brief && html`<td>${one.metadata.generation}</td><td><${When} at=${one.metadata.creationTimestamp} /></td>`}
          </tr>`;
        })}
      <//>
      ${(found.length > SHOWN_MAX || !complete) &&
      html`<p class="faint">The first ${SHOWN_MAX} of ${complete ? "" : "more than "}${counted(found.length, "object")}. Filter by name.</p>`}
    </div>`;
  }}<//>`;
}
