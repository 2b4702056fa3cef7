// SPDX-License-Identifier: Apache-2.0
// Slices as text: the panel about one of them, and the list of those of a group.

import { useEffect, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { setQuery } from "../../shared/router.js";
import { counted, number, visible } from "../../shared/text.js";
import { When } from "../../shared/widgets.js";
import { STATES, statesOf } from "./fleet.js";

/** Slices that the list of a group names at most. */
const LIST_MAX = 200;

/** The pointer rests this long on a slice before the server is asked about it. */
const REST_MILLIS = 150;

/** In place of the name of a job. */
export const HIDDEN = "a job that you may not read";

/** The same slices as text. @param {{group: import("./fleet.js").Group}} properties */
export function SliceList({ group }) {
  const [open, setOpen] = useState(false);
  const slices = open ? group.blocks.flatMap((block) => block.slices) : [];
  return html`<details
    onToggle=${(/** @type {Event} */ event) =>
      setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}
  >
    <summary>List of slices</summary>
    ${open &&
    html`<ul class="slice-list">
      ${slices.slice(0, LIST_MAX).map(
        (slice) =>
          html`<li key=${slice.name}>
            <button type="button" onClick=${() => setQuery({ slice: slice.name })}>${visible(slice.name)}</button>
            ${" " + statesText(slice)}
            ${slice.holders.map((holder) => html`${", "}<${Holder} holder=${holder} />`)}
          </li>`,
      )}
    </ul>`}
    ${slices.length > LIST_MAX &&
    html`<p class="faint">The first ${LIST_MAX} of ${number(slices.length)} slices.</p>`}
  </details>`;
}

/** @param {MapSlice} slice */
function statesText(slice) {
  return statesOf(slice).map((state) => STATES[state]).join(", ");
}

/** @param {{holder: any}} properties */
function Holder({ holder }) {
  return holder.job
    ? html`<a href=${"/jobs/" + encodeURIComponent(holder.job)}>${visible(holder.namespace)} / ${visible(holder.name)}</a>`
    : HIDDEN;
}

/**
 * Returns what the server knows of one slice, after a moment of rest of the pointer.
 * @param {MapSlice | undefined} slice read again when this changes
 * @returns {Slice | undefined}
 */
function useDetails(slice) {
  const [rested, setRested] = useState(slice);
  useEffect(() => {
    const timer = setTimeout(() => setRested(slice), REST_MILLIS);
    return () => clearTimeout(timer);
  }, [slice]);
  const { data } = useLive(
    async (signal) => rested && (await get(pathOf`/v1/slices/${rested.name}`, {}, signal)),
    [rested],
    { when: () => false },
  );
  return data?.name === slice?.name ? data : undefined;
}

/** @param {{slice: MapSlice | undefined, name: string}} properties */
export function SlicePanel({ slice, name }) {
  const details = useDetails(slice);
  return html`<section class="panel slice-panel" aria-label="Slice" aria-live="polite">
    ${slice
      ? html`<h3>${visible(slice.name)}</h3>
          <p>${statesText(slice)}${details?.reason ? ": " + visible(details.reason) : ""}</p>
          <dl>
            ${details && facts(details).map(([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>`)}
            <dt>Size</dt><dd>${visible(slice.type)} ${visible(slice.topology)}, ${counted(slice.chips, "chip")}</dd>
          </dl>`
      : html`<p class="faint">
          ${name ? "No slice is named " + visible(name) + "." : "Point at a slice, or move to it with the arrow keys."}
        </p>`}
  </section>`;
}

/** @param {Slice} slice @returns {[string, any][]} */
function facts(slice) {
  const { keptFor, claimedBy, leavesAt, failedHosts } = slice;
  /** @type {[string, any][]} */
  const facts = [];
  const { heldBy, formed = [] } = slice;
  for (const holder of heldBy ? [heldBy] : formed.map((one) => one.heldBy)) {
    facts.push(["Held by", html`<${Holder} holder=${holder} />`]);
    if (holder.clusterQueue) {
      facts.push(["ClusterQueue", html`<a href=${"/queues?queue=" + encodeURIComponent(holder.clusterQueue)}>${visible(holder.clusterQueue)}</a>`]);
    }
    facts.push(["Since", html`<${When} at=${holder.since} />`]);
    facts.push(["Until at the latest", holder.until ? html`<${When} at=${holder.until} />` : "no time limit"]);
  }
  if (slice.condition === "LEAVING") {
    facts.push(["Lease ends", leavesAt ? html`<${When} at=${leavesAt} />` : "without notice"]);
  }
  if (keptFor) {
    facts.push(["Kept for", keptFor.job ? html`<a href=${"/jobs/" + encodeURIComponent(keptFor.job)}>${visible(keptFor.name ?? keptFor.job)}</a>` : HIDDEN]);
    facts.push(["Given back", keptFor.until ? html`<${When} at=${keptFor.until} />` : "no limit"]);
  }
  if (claimedBy) {
    facts.push(["Claimed by", html`<a href=${"/jobs/" + encodeURIComponent(claimedBy)}>a waiting job</a>`]);
  }
  if (failedHosts?.length) {
    facts.push(["Failed hosts", visible(failedHosts.join(", "))]);
  }
  return facts;
}
