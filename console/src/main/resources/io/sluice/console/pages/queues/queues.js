// SPDX-License-Identifier: Apache-2.0
// The tree of Cohorts and queues with their use of quota, and the details of one ClusterQueue.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { html } from "../../shared/html.js";
import { getAll } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { counted, number, visible } from "../../shared/text.js";
import { Empty, Loaded } from "../../shared/widgets.js";
import { BarLegend, QuotaBars } from "./bars.js";
import { QueueDetails } from "./details.js";
import { LocalQueues, Policy } from "./facts.js";
import { findQueue, treeOf } from "./tree.js";

/** Objects of each kind that the tree has at most. */
const COHORTS_MAX = 500;
const QUEUES_MAX = 500;
const LOCALS_MAX = 2000;

/** In the address, for the ClusterQueues without a cohort. No cohort has this name. */
const NO_COHORT = "-";

const FIELDS = "items.metadata,items.spec,items.status,nextCursor";

/** @param {WatchEvent} event */
const changesTree = ({ object }) =>
  ["Job", "Attempt", "ClusterQueue", "LocalQueue", "Cohort"].includes(object.kind);

/** @typedef {import("./tree.js").CohortNode} CohortNode */
/** @typedef {import("./tree.js").QueueNode} QueueNode */

/** @param {AbortSignal} signal */
async function readTree(signal) {
  const query = { fields: FIELDS };
  const [cohorts, queues, locals] = await Promise.all([
    getAll("/v1/cohorts", query, { max: COHORTS_MAX, signal }),
    getAll("/v1/clusterqueues", { fields: FIELDS + ",warnings" }, { max: QUEUES_MAX, signal }),
    getAll("/v1/localqueues", query, { max: LOCALS_MAX, signal }),
  ]);
  const cut = [
    !cohorts.complete && counted(COHORTS_MAX, "Cohort"),
    !queues.complete && counted(QUEUES_MAX, "ClusterQueue"),
    !locals.complete && counted(LOCALS_MAX, "LocalQueue"),
  ].filter(Boolean);
  return { roots: treeOf(cohorts.items, queues.items, locals.items), cut };
}

export default function Queues() {
  const tree = useLive(readTree, [], { when: changesTree, pause: 2000, every: 60_000 });
  const { query } = address.value;
  const selected = query.get("queue") ?? "";
  const closed = useMemo(() => new Set(query.getAll("closed")), [query]);
  return html`<h1>Queues</h1>
    <${Loaded} of=${tree}>${(/** @type {Awaited<ReturnType<typeof readTree>>} */ { roots, cut }) =>
      html`${cut.length > 0 &&
        html`<p class="banner">Only the first ${cut.join(", ")} by name are shown; sums are of these.</p>`}
        <${BarLegend} />
        <div class=${"queue-columns" + (selected ? " with-details" : "")}>
          ${selected && html`<${Selected} key=${selected} name=${selected} queue=${findQueue(roots, selected)} />`}
          <div class="queue-tree">
            ${roots.length === 0
              ? html`<${Empty}>There are no queues.<//>`
              : html`<ul aria-label="Cohorts and ClusterQueues">
                  ${roots.map((node) => html`<${Cohort} key=${node.name} node=${node} closed=${closed} selected=${selected} />`)}
                </ul>`}
          </div>
        </div>`}<//>`;
}

/**
 * @param {{name: string, queue: QueueNode | undefined}} properties
 */
function Selected({ name, queue }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), [name]);
  return html`<section class="panel queue-details" ref=${box} aria-labelledby="details">
    <div class="details-head">
      <h2 id="details">${visible(name)}</h2>
      <button type="button" onClick=${() => setQuery({ queue: undefined })}>Close</button>
    </div>
    ${queue
      ? html`<${QueueDetails} queue=${queue} />`
      : html`<${Empty}>No ClusterQueue has this name.<//>`}
  </section>`;
}

/**
 * @param {{node: CohortNode, closed: Set<string>, selected: string}} properties
 */
function Cohort({ node, closed, selected }) {
  const key = node.name || NO_COHORT;
  const open = !closed.has(key);
  const toggle = () => {
    const next = new Set(closed);
    if (!next.delete(key)) {
      next.add(key);
    }
    setQuery({ closed: [...next] });
  };
  const name = node.name ? visible(node.name) : "Without a cohort";
  const parts = node.cohorts.length + node.queues.length;
  return html`<li class="cohort">
    <p class="cohort-head">
      <button type="button" class="toggle" aria-expanded=${open} onClick=${toggle} disabled=${parts === 0}>
        <span aria-hidden="true">${open ? "▾" : "▸"}</span> ${name}
      </button>
      <span class="faint">
        ${node.name && !node.object ? "cohort without an object, " : ""}${counted(node.queues.length, "ClusterQueue")},
        ${" " + number(node.pending)} waiting, ${number(node.admitted)} admitted
      </span>
      ${node.cycle && html`<span class="bad">Its parent ${visible(node.cycle)} is below it.</span>`}
    </p>
    ${node.object?.spec?.resourceGroups?.length > 0 &&
    html`<details><summary>Quota of the cohort itself</summary><${OwnQuota} node=${node} /></details>`}
    ${open &&
    html`<ul>
      ${node.cohorts.map((child) => html`<${Cohort} key=${"cohort " + child.name} node=${child} closed=${closed} selected=${selected} />`)}
      ${node.queues.map((queue) => html`<${Queue} key=${"queue " + queue.name} queue=${queue} selected=${selected === queue.name} />`)}
    </ul>`}
  </li>`;
}

/** @param {{node: CohortNode}} properties */
function OwnQuota({ node }) {
  return html`<ul class="own-quota">
    ${node.object.spec.resourceGroups.flatMap((/** @type {any} */ group) =>
      group.flavors.flatMap((/** @type {any} */ flavor) =>
        flavor.resources.map(
          (/** @type {any} */ resource) =>
            html`<li>${visible(flavor.name)} ${visible(resource.name)}: ${visible(resource.nominalQuota)}</li>`,
        ),
      ),
    )}
  </ul>`;
}

/** @param {{queue: QueueNode, selected: boolean}} properties */
function Queue({ queue, selected }) {
  const { name, object, localQueues, totals } = queue;
  const status = object.status ?? {};
  return html`<li class=${"queue" + (selected ? " selected" : "")}>
    <p class="queue-head">
      <a
        href=${"/queues?queue=" + encodeURIComponent(name)}
        aria-current=${selected ? "true" : undefined}
        onClick=${(/** @type {MouseEvent} */ event) => select(event, name)}
        >${visible(name)}</a
      >
      <span>${number(status.pendingWorkloads ?? 0)} waiting, ${number(status.admittedWorkloads ?? 0)} admitted</span>
      <${Policy} object=${object} />
    </p>
    <${QuotaBars} name=${name} object=${object} totals=${totals} />
    ${localQueues.length > 0 &&
    html`<details>
      <summary>${counted(localQueues.length, "LocalQueue")}</summary>
      <${LocalQueues} localQueues=${localQueues} />
    </details>`}
  </li>`;
}

/**
 * Selects a ClusterQueue and keeps the rest of the address. A click that opens a tab does not.
 * @param {MouseEvent} event
 * @param {string} name
 */
function select(event, name) {
  if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    setQuery({ queue: name });
  }
}
