// SPDX-License-Identifier: Apache-2.0
// Texts beside the timeline: one entry, the legend, and the table of entries in view.

import { useEffect, useRef } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf } from "../../shared/api.js";
import { SELDOM, useLive } from "../../shared/live.js";
import { duration, moment, serverNow, visible, words } from "../../shared/text.js";
import { Facts, Table } from "../../shared/widgets.js";
import { KINDS } from "./bars.js";
import { drawRows } from "./draw.js";
import { LANE_HEIGHT, layoutOf } from "./layout.js";
import { Palette } from "./palette.js";

/** @typedef {import("./layout.js").EntryBar} EntryBar */

/** Entries that the table shows. */
export const TABLE_MAX = 200;
const SLICES_SHOWN = 12;

/** Kinds of entries that have a name but are no jobs. */
const OTHERS = ["booked", "outage", "run"];

/** Returns the name of an entry. @param {EntryBar} bar */
export function nameOf({ namespace, name, index }) {
  if (name === undefined) {
    return "a job that you may not read";
  }
  return visible((namespace ? namespace + "/" : "") + name + (index ? "[" + index + "]" : ""));
}

/** Returns the page of an entry; undefined if it has none. @param {EntryBar} bar */
export function pageOf(bar) {
  if (bar.kind === "run" && bar.namespace && bar.name) {
    return pathOf`/pipelines/${bar.namespace}/${bar.name}`;
  }
  return bar.job && pathOf`/jobs/${bar.job}`;
}

/** @param {{bar: EntryBar}} properties */
function Name({ bar }) {
  const page = pageOf(bar);
  return page ? html`<a href=${page}>${nameOf(bar)}</a>` : nameOf(bar);
}

/**
 * A panel with the facts of an entry.
 * @param {{bar: EntryBar, place: {x: number, y: number}, box: {width: number, height: number}, pinned: boolean, close: () => void}} properties
 */
export function EntryPanel({ bar, place, box, pinned, close }) {
  const right = place.x > box.width / 2;
  const below = place.y < box.height / 2;
  const style = {
    [right ? "right" : "left"]: Math.max(8, Math.min(right ? box.width - place.x : place.x, box.width - 360)) + "px",
    [below ? "top" : "bottom"]: Math.max(8, below ? place.y + 48 : box.height - place.y + 16) + "px",
  };
  const waits = ["firm", "promised", "expected"].includes(bar.kind);
  return html`<div class=${"timeline-panel " + (pinned ? "" : "passing")} style=${style}>
    <p>
      <strong><${Name} bar=${bar} /></strong>${" "}<span class="faint">${KINDS[bar.kind].split(";")[0]}</span>
    </p>
    <${Facts} facts=${factsOf(bar)} />
    ${pinned && waits && bar.job && html`<${Reason} job=${bar.job} />`}
    ${pinned && html`<p><button type="button" onClick=${close}>Close</button></p>`}
  </div>`;
}

/** @param {EntryBar} bar @returns {[string, import("preact").ComponentChildren][]} */
function factsOf(bar) {
  const ends = Number.isFinite(bar.to);
  const began = ["past", "running", "draining"].includes(bar.kind);
  const start = bar.start ?? bar.from;
  return [
    ["Start", bar.kind === "run" ? false : moment(start)],
    ["Due", bar.kind === "run" && moment(bar.from)],
    [bar.kind === "past" ? "End" : "Latest end", bar.kind !== "run" && (ends ? moment(bar.to) : "no time limit")],
    ["Duration", bar.kind !== "run" && ends && duration(bar.to - start)],
    ["Until now", began && bar.kind !== "past" && duration(serverNow() - start)],
    ["Earliest start", bar.earliest !== undefined && moment(bar.earliest)],
    ["Latest start", bar.kind === "expected" && (bar.latest === undefined ? "perhaps never" : moment(bar.latest))],
    ["Confidence", bar.confidence !== undefined && Math.round(bar.confidence * 100) + " %"],
    ["State", bar.state && words(bar.state)],
    ["Outcome of the attempt", bar.outcome && words(bar.outcome)],
    ["Attempt", bar.attempt],
    ["ClusterQueue", bar.clusterQueue && visible(bar.clusterQueue)],
    ["Queue", bar.queue && visible(bar.queue)],
    ["Priority", bar.priority],
    ["Uses", bar.amounts.map(({ flavor, resource, amount }) => visible(`${amount} ${resource} (${flavor})`)).join(", ")],
    ["Slices", slicesText(bar.slices)],
  ];
}

/** @param {string[]} slices */
function slicesText(slices) {
  const more = slices.length - SLICES_SHOWN;
  return slices.slice(0, SLICES_SHOWN).map(visible).join(", ") + (more > 0 ? " and " + more + " more" : "");
}

/** Why a job waits. @param {{job: string}} properties */
function Reason({ job }) {
  const explanation = useLive((signal) => get(pathOf`/v1/jobs/${job}/explanation`, {}, signal), [job], {
    when: (event) => event.job?.id === job,
    pause: SELDOM,
  });
  const { data, failure } = explanation;
  if (data === undefined) {
    return html`<p class="faint">${failure ? visible(failure.message) : "Asking why it waits"}</p>`;
  }
  const first = data.inTheWay?.first?.[0];
  return html`<p>Waits because it ${visible(data.reason)}.</p>
    ${data.inTheWay &&
    html`<p>
      In the way: ${data.inTheWay.count === 1 ? "one attempt" : data.inTheWay.count + " attempts"},
      ${" "}first ${visible(first?.name ?? "a job that you may not read")}.
    </p>`}`;
}

/** The looks of bars. @param {{hues: Map<string, number>, byState: boolean}} properties */
export function Legend({ hues, byState }) {
  return html`<ul class="timeline-legend" aria-label="Legend">
    ${Object.entries(KINDS).map(
      ([kind, name]) => html`<li key=${kind}><${Sample} kind=${kind} byState=${byState} /> ${name}</li>`,
    )}
    ${!byState &&
    [...hues].map(
      ([queue, hue]) =>
        html`<li key=${"queue " + queue}>
          <span class="timeline-hue" style=${{ background: `var(--timeline-${hue})` }}></span>
          ${queue === "" ? "queue unknown" : visible(queue)}
        </li>`,
    )}
  </ul>`;
}

/** One bar as the timeline draws it. @param {{kind: import("./bars.js").Kind, byState: boolean}} properties */
function Sample({ kind, byState }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useEffect(() => {
    const element = /** @type {HTMLCanvasElement} */ (canvas.current);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const draw = () => {
      const context = /** @type {CanvasRenderingContext2D} */ (element.getContext("2d"));
      const ratio = devicePixelRatio || 1;
      element.width = 44 * ratio;
      element.height = LANE_HEIGHT * ratio;
      const bar = { kind, look: byState ? kind : kind + " 0", row: "", from: kind === "run" ? 20 : 2, start: kind === "expected" ? 14 : 2, earliest: 4, latest: 26, to: kind === "run" ? 20 : 42, name: "", slices: [], amounts: [] };
      const layout = layoutOf([{ key: "", name: "", rows: [{ key: "", name: "", bars: [bar] }] }], new Set());
      const scroll = layout.rows[0].height + 2;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      // Now is outside, but within a running bar, which shows both its parts.
      const now = kind === "running" || kind === "draining" ? 22 : -1;
      drawRows(context, { layout, range: { from: 1, to: 45 }, width: 44, height: LANE_HEIGHT, names: 0, scroll, now }, new Palette(element));
    };
    draw();
    dark.addEventListener("change", draw);
    return () => dark.removeEventListener("change", draw);
  }, [kind, byState]);
  return html`<canvas ref=${canvas} aria-hidden="true"></canvas>`;
}

/** The entries in view as a table. @param {{bars: EntryBar[], total: number}} properties */
export function EntryTable({ bars, total }) {
  return html`<p class="faint">
      ${total > bars.length ? `The first ${bars.length} of ${total} entries in view.` : `${total} entries in view.`}
    </p>
    <${Table} caption="Entries in view, by start" head=${["Job", "Kind", "Start", "End", "ClusterQueue", "Where"]}>
      ${bars.map(
        (bar, i) =>
          html`<tr key=${i}>
            <td><${Name} bar=${bar} /></td>
            <td>${KINDS[bar.kind].split(";")[0]}</td>
            <td>${moment(bar.start ?? bar.from)}</td>
            <td>${bar.kind === "run" ? "" : Number.isFinite(bar.to) ? moment(bar.to) : "no time limit"}</td>
            <td>${OTHERS.includes(bar.kind) ? "" : visible(bar.clusterQueue || "unknown")}</td>
            <td>${visible(bar.slices.length > 0 ? slicesText(bar.slices) : bar.row.replace(/^\w+ /, ""))}</td>
          </tr>`,
      )}
    <//>`;
}
