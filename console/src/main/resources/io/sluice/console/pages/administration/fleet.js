// SPDX-License-Identifier: Apache-2.0
// Capacity types, slices and hosts, and what an operator may do with them.

import { html } from "../../shared/html.js";
import { getAll, pathOf, post, send } from "../../shared/api.js";
import { SELDOM, useLive } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { counted, number, visible } from "../../shared/text.js";
import { Action, Choice, Empty, Failure, Loaded, State, Table, TextFilter, When, ask, notify, perform } from "../../shared/widgets.js";
import { VirtualTable } from "../../shared/virtual-table.js";
import { whyNoAdministration, whyNoFleetChange } from "./rights.js";

const MAX = 5000;
/** @type {Record<string, {head: string[], conditions: string[]}>} */
const LISTS = {
  slices: { head: ["Slice", "Condition", "Type", "Capacity", "Held by", "Actions"], conditions: ["READY", "LEAVING", "ABSENT"] },
  hosts: { head: ["Host", "Condition", "Capacity", "Held by", "Reason", "Actions"], conditions: ["READY", "LEAVING", "ABSENT", "FAILED"] },
};

export function Fleet() {
  const { query } = address.value;
  const list = query.get("list") === "hosts" ? "hosts" : "slices";
  const text = (query.get("text") ?? "").toLowerCase();
  const asked = query.get("condition") ?? "";
  const condition = LISTS[list].conditions.includes(asked) ? asked : "";
  const all = useLive((signal) => getAll("/v1/" + list, {}, { max: MAX, signal }), [list], {
    when: ({ object }) => ["Slice", "Fleet", "Attempt"].includes(object.kind),
    pause: 2 * SELDOM,
  });
  return html`<${Capacity} />
    <h2>Slices and hosts</h2>
    <div class="filters" role="search" aria-label="Filter slices and hosts">
      <${Choice} label="Show" value=${list} choices=${["slices", "hosts"]} onValue=${(/** @type {string} */ one) => setQuery({ list: one, condition: "" })} />
      <${Choice} label="Condition" value=${condition} choices=${[["", "any"], ...LISTS[list].conditions]} onValue=${(/** @type {string} */ one) => setQuery({ condition: one })} />
      <${TextFilter} label="Text" value=${query.get("text") ?? ""} onValue=${(/** @type {string} */ value) => setQuery({ text: value })} />
    </div>
    <${Loaded} of=${all}>${(/** @type {{items: any[], complete: boolean}} */ { items, complete }) => {
      const found = items.filter(
        (one) => (!condition || one.condition === condition) && (!text || textOf(one).includes(text)),
      );
      return html`<p class="faint">
          ${counted(found.length, list.slice(0, -1))} of ${number(items.length)}${!complete && ", the first by name: there are more"}
        </p>
        ${found.length === 0
          ? html`<${Empty}>None meets the filters.<//>`
          : html`<${VirtualTable}
              key=${list}
              label=${list}
              kind=${"fleet-" + list}
              head=${LISTS[list].head}
              count=${found.length}
              row=${(/** @type {number} */ index) => (list === "slices" ? sliceCells(found[index], all.reload) : hostCells(found[index], all.reload))}
              onRange=${() => {}}
            />`}`;
    }}<//>`;
}

/** @param {any} one */
function textOf({ name, type, capacityType, heldBy, reason }) {
  return [name, type, capacityType, heldBy?.name, heldBy?.namespace, heldBy?.clusterQueue, reason]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}

/** @param {any} heldBy */
function holder(heldBy) {
  if (!heldBy) {
    return html`<span class="faint">free</span>`;
  }
  return heldBy.job
    ? html`<a href=${pathOf`/jobs/${heldBy.job}`}>${visible(heldBy.namespace)}/${visible(heldBy.name)}</a>`
    : "a job that you may not read";
}

/** @param {any} slice @param {() => void} reload */
function sliceCells(slice, reload) {
  const path = pathOf`/v1/fleet/slices/${slice.name}`;
  const reclaim = async () => {
    const values = await ask({
      title: "Reclaim slice " + visible(slice.name) + "?",
      text: "Its attempt has to leave within the notice. Without a notice, the slice is gone at once.",
      fields: [{ name: "notice", label: "Notice, such as 30s or 5m; empty: none", value: "5m", required: false }],
      confirm: "Reclaim it",
      danger: true,
    });
    if (values && (await perform(() => post(path + "/reclaim", { query: { notice: values.notice } }), "Reclaim requested"))) {
      reload();
    }
  };
  return [
    visible(slice.name),
    html`<${State} state=${slice.condition} />${slice.leavesAt && html` <${When} at=${slice.leavesAt} />`}
      <span title=${visible(slice.reason)}>${visible(slice.reason)}</span>`,
    visible(slice.type + " " + slice.topology),
    visible(slice.capacityType),
    holder(slice.heldBy),
    slice.condition === "READY"
      ? html`<${Action} kind="row-action" refused=${whyNoFleetChange()} onClick=${reclaim} aria-label=${"Reclaim " + visible(slice.name)}>Reclaim<//>`
      : html`<${Action} kind="row-action" refused=${whyNoFleetChange()} onClick=${() => give("slice", slice.name, path, reload)} aria-label=${"Return " + visible(slice.name)}>Return<//>`,
  ];
}

/** @param {any} host @param {() => void} reload */
function hostCells(host, reload) {
  const path = pathOf`/v1/fleet/hosts/${host.name}`;
  const fail = async () => {
    const sure = await ask({
      title: "Make host " + visible(host.name) + " fail?",
      text: "Its slice is gone at once, and what runs there is lost, until the host is returned.",
      confirm: "Make it fail",
      danger: true,
    });
    if (sure && (await perform(() => post(path + "/fail"), "The host fails"))) {
      reload();
    }
  };
  return [
    visible(host.name),
    html`<${State} state=${host.condition} />`,
    visible(Object.entries(host.capacity ?? {}).map(([name, amount]) => name + " " + amount).join(", ")),
    holder(host.heldBy),
    html`<span title=${visible(host.reason)}>${visible(host.reason)}</span>`,
    html`${host.condition !== "FAILED" &&
      html`<${Action} kind="row-action" refused=${whyNoFleetChange()} onClick=${fail} aria-label=${"Make " + visible(host.name) + " fail"}>Fail<//>`}
      ${host.condition !== "READY" &&
      html` <${Action} kind="row-action" refused=${whyNoFleetChange()} onClick=${() => give("host", host.name, path, reload)} aria-label=${"Return " + visible(host.name)}>Return<//>`}`,
  ];
}

/** @param {string} kind @param {string} name @param {string} path @param {() => void} reload */
async function give(kind, name, path, reload) {
  const sure = await ask({ title: "Return " + kind + " " + visible(name) + "?", text: "Jobs may get it again.", confirm: "Return it" });
  if (sure && (await perform(() => post(path + "/return"), "Return requested"))) {
    reload();
  }
}

/** How slices of each capacity type become available. */
function Capacity() {
  const types = useLive(
    async (signal) => {
      const { items } = await getAll("/v1/slices", { fields: "items.capacityType,nextCursor" }, { max: MAX, signal });
      const names = [...new Set(items.map(({ capacityType }) => capacityType))].sort();
      return Promise.all(
        names.map(async (name) => {
          const answer = await send("GET", pathOf`/v1/fleet/capacity/${name}`, { signal });
          return { ...(await answer.json()), etag: answer.headers.get("ETag") ?? "" };
        }),
      );
    },
    [],
    { when: ({ object }) => object.kind === "Fleet", pause: 5000 },
  );
  /** @param {any} one @param {Record<string, unknown>} query @param {string} done */
  const write = async (one, query, done) => {
    try {
      await send("PUT", pathOf`/v1/fleet/capacity/${one.capacityType}`, { query: /** @type {any} */ (query), headers: { "If-Match": one.etag } });
      notify(done);
    } catch (failure) {
      const problem = /** @type {import("../../shared/api.js").Problem} */ (failure);
      notify(problem.status === 412 ? "Somebody has changed it meanwhile. Nothing was overwritten." : problem.message, "bad");
    }
    types.reload();
  };
  /** @param {any} one */
  const changeGrant = async (one) => {
    const values = await ask({
      title: "When are slices of " + visible(one.capacityType) + " granted?",
      fields: [{ name: "grantAfter", label: "A duration after the request, such as 1m, or never", value: one.grantAfter }],
      confirm: "Change",
    });
    if (values) {
      await write(one, { grantAfter: values.grantAfter }, "Changed");
    }
  };
  const denied = whyNoAdministration();
  return html`<h2>Capacity types</h2>
    <${Failure} failure=${types.failure} retry=${types.reload} />
    ${types.data &&
    html`<${Table} caption="Capacity types" head=${["Type", "Provisioned", "Granted after", "In stock", html`<span class="unseen">Actions</span>`]}>
      ${types.data.map(
        (one) => html`<tr key=${one.capacityType}>
          <td>${visible(one.capacityType)}</td>
          <td>${one.provisioned ? "yes" : "on demand"}</td>
          <td>${visible(one.grantAfter)}</td>
          <td>${one.outOfStock ? html`<span class="state bad">out of stock</span>` : html`<span class="state good">in stock</span>`}</td>
          <td><div class="buttons">
            <${Action} refused=${denied} onClick=${() => write(one, { outOfStock: !one.outOfStock }, "Changed")}>${one.outOfStock ? "Back in stock" : "Out of stock"}<//>
            <${Action} refused=${denied} onClick=${() => changeGrant(one)}>Granted after<//>
          </div></td>
        </tr>`,
      )}
    <//>`}`;
}
