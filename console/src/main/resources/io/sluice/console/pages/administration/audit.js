// SPDX-License-Identifier: Apache-2.0
// Who changed what, and what an edit changed in a manifest.

import { useEffect, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf } from "../../shared/api.js";
import { address, setQuery } from "../../shared/router.js";
import { may, signedInAs, whyNot } from "../../shared/session.js";
import { moment, number, visible, words } from "../../shared/text.js";
import { Empty, Failure, Table, TextFilter } from "../../shared/widgets.js";
import { Difference } from "./lines.js";

/** @type {Record<string, string>} */
const FILTERS = { caller: "Caller", kind: "Kind", namespace: "Namespace", name: "Name", since: "Since, as 2026-11-27T08:00:00Z", until: "Until" };
const PAGE = 100;
const ENTRIES_MAX = 2000;
/** Entries of an object that are searched for its manifest before. */
const SEARCHED = 20;

export function Audit() {
  const { query } = address.value;
  if (!may("audit")) {
    return html`<${Empty}>The audit says who changed what, in all namespaces. Reading it ${whyNot("audit")}.<//>`;
  }
  const chosen = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, query.get(name) ?? ""]));
  return html`<div class="filters" role="search" aria-label="Filter the audit">
      ${Object.entries(FILTERS).map(
        ([name, label]) => html`<${TextFilter}
          key=${name}
          label=${label}
          value=${chosen[name]}
          onValue=${(/** @type {string} */ value) => setQuery({ [name]: value })}
        />`,
      )}
    </div>
    <${Entries} key=${JSON.stringify(chosen) + signedInAs.value} chosen=${chosen} />`;
}

/** @param {{chosen: Record<string, string>}} properties */
function Entries({ chosen }) {
  const [entries, setEntries] = useState(/** @type {any[] | undefined} */ (undefined));
  const [cursor, setCursor] = useState(/** @type {string | undefined} */ (undefined));
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [reading, setReading] = useState(false);
  /** @param {any[]} before @param {string} [after] */
  const read = async (before, after) => {
    setReading(true);
    try {
      const page = await get("/v1/audit", { ...chosen, limit: PAGE, cursor: after });
      setEntries([...before, ...page.items]);
      setCursor(page.nextCursor);
      setFailure(undefined);
    } catch (problem) {
      setFailure(/** @type {Error} */ (problem));
    }
    setReading(false);
  };
  useEffect(() => {
    read([]);
  }, []);
  return html`<${Failure} failure=${failure} />
    ${entries?.length === 0 && html`<${Empty}>No entry meets the filters.<//>`}
    ${entries &&
    entries.length > 0 &&
    html`<p class="buttons"><button type="button" onClick=${() => read([])}>Read again</button>
        <span class="faint">${number(entries.length)} entries, newest first</span></p>
      <${Table} caption="Audit" head=${["Time", "Caller", "Action", "Object", "Detail"]}>
        ${entries.map((entry, i) => html`<${Entry} key=${entry.at + entry.kind + entry.name + (entries.length - i)} entry=${entry} />`)}
      <//>`}
    ${reading && html`<p class="loading" role="status">Reading</p>`}
    ${cursor &&
    !reading &&
    ((entries?.length ?? 0) < ENTRIES_MAX
      ? html`<p><button type="button" onClick=${() => read(entries ?? [], cursor)}>Older entries</button></p>`
      : html`<p class="faint">${number(ENTRIES_MAX)} entries are shown. For older ones, filter until a time.</p>`)}`;
}

/** @param {{entry: any}} properties */
function Entry({ entry }) {
  const { detail } = entry;
  const place = (entry.namespace ? entry.namespace + "/" : "") + (entry.name ?? "");
  const { manifest, ...rest } = detail ?? {};
  return html`<tr>
    <td>${moment(entry.at)}</td>
    <td>${visible(entry.caller)} <span class="faint">${visible(entry.role)}</span></td>
    <td>${words(entry.action)}</td>
    <td>
      ${visible(entry.kind)}${" "}
      ${entry.job ? html`<a href=${pathOf`/jobs/${entry.job}`}>${visible(place)}</a>` : visible(place)}
    </td>
    <td>
      ${Object.keys(rest).length > 0 && html`<code>${visible(JSON.stringify(rest))}</code>`}
      ${manifest && html`<${Changes} entry=${entry} />`}
    </td>
  </tr>`;
}

/** The lines that an edit changed, read when a user opens it. @param {{entry: any}} properties */
function Changes({ entry }) {
  const [before, setBefore] = useState(/** @type {{manifest?: unknown} | undefined} */ (undefined));
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  /** @param {Event} event */
  const open = async (event) => {
    if (!(/** @type {HTMLDetailsElement} */ (event.target).open) || before) {
      return;
    }
    try {
      const { kind, namespace, name, at } = entry;
      const { items } = await get("/v1/audit", { kind, namespace, name, until: at, limit: SEARCHED });
      // A deletion ends the history of an object: what follows is a new one.
      const last = items.find((/** @type {any} */ one) => one.detail?.manifest || one.action === "delete");
      setBefore({ manifest: last?.action === "delete" ? undefined : last?.detail?.manifest });
    } catch (problem) {
      setFailure(/** @type {Error} */ (problem));
    }
  };
  return html`<details onToggle=${open}>
    <summary>${entry.action === "create" ? "Manifest" : "Changed lines"}</summary>
    <${Failure} failure=${failure} />
    ${before && before.manifest === undefined && entry.action !== "create" && html`<p class="faint">There is no earlier manifest in the audit.</p>`}
    ${before && html`<${Difference} before=${before.manifest} after=${entry.detail.manifest} label="Changed lines" />`}
  </details>`;
}
