// SPDX-License-Identifier: Apache-2.0
// The steps of a run as a graph. The table of steps tells the same to those who cannot see it.

import { useEffect, useMemo, useState } from "preact/hooks";
import { graphlib, layout } from "@dagrejs/dagre";
import { html } from "../../shared/html.js";
import { address, setQuery } from "../../shared/router.js";
import { counted, number, visible, words } from "../../shared/text.js";
import { Choice, tone } from "../../shared/widgets.js";
import { placeInColumns } from "./run-layers.js";
import { countsByState, edgesOf, lineThrough, shortened } from "./run-steps.js";

/** @typedef {import("./run-steps.js").Step} Step */

/** A graph of more steps is drawn when a user asks for it. */
const AT_ONCE_MAX = 300;
/** Dagre takes a second for so many nodes and edges, and a minute for some thousands. */
const DAGRE_MAX = 400;
const STEPS_MAX = 1000;
const NODE = { width: 168, height: 46 };
const ZOOMS = ["50", "75", "100", "150"];
const NAME_MAX = 19;
const TEXT_MAX = 25;

/** @param {{steps: Step[], chosen: string}} properties */
export function Graph({ steps, chosen }) {
  const [wanted, setWanted] = useState(steps.length <= AT_ONCE_MAX);
  if (steps.length > STEPS_MAX) {
    return html`<p class="faint">
      A graph of ${number(steps.length)} steps is not drawn. The table below has all of them.
    </p>`;
  }
  if (!wanted) {
    return html`<p>
      <button type="button" onClick=${() => setWanted(true)}>
        Draw the graph of ${number(steps.length)} steps
      </button>
      <span class="faint"> The table below has the same.</span>
    </p>`;
  }
  return html`<${Drawing} steps=${steps} chosen=${chosen} />`;
}

/**
 * Places the nodes and edges of a graph.
 * @param {Step[]} steps
 */
function place(steps) {
  const edges = edgesOf(steps);
  const names = steps.map(({ name }) => name);
  if (names.length + edges.length > DAGRE_MAX) {
    const { lines, ...placed } = placeInColumns(names, edges, NODE);
    return { ...placed, edges: edges.map((edge, i) => ({ ...edge, points: lines[i] })) };
  }
  const graph = new graphlib.Graph()
    .setGraph({ rankdir: "LR", nodesep: 16, ranksep: 56, marginx: 12, marginy: 12 })
    .setDefaultEdgeLabel(() => ({}));
  for (const name of names) {
    graph.setNode(name, { ...NODE });
  }
  for (const { from, to } of edges) {
    graph.setEdge(from, to);
  }
  layout(graph);
  return {
    width: graph.graph().width ?? 0,
    height: graph.graph().height ?? 0,
    places: new Map(names.map((name) => [name, { x: graph.node(name).x, y: graph.node(name).y }])),
    edges: edges.map((edge) => ({ ...edge, points: graph.edge(edge.from, edge.to).points })),
  };
}

/** @param {{steps: Step[], chosen: string}} properties */
function Drawing({ steps, chosen }) {
  const [placed, setPlaced] = useState(/** @type {ReturnType<typeof place> | undefined} */ (undefined));
  const form = useMemo(() => JSON.stringify(steps.map(({ name, dependsOn }) => [name, dependsOn])), [steps]);
  useEffect(() => {
    // The page is drawn first: the layout occupies the browser.
    const timer = setTimeout(() => setPlaced(place(steps)), 20);
    return () => clearTimeout(timer);
  }, [form]);
  if (!placed || steps.some(({ name }) => !placed.places.has(name))) {
    return html`<p class="loading" role="status">Laying out the graph</p>`;
  }
  const asked = address.value.query.get("zoom") ?? "";
  const zoom = ZOOMS.includes(asked) ? asked : "100";
  const { width, height, edges, places } = placed;
  const scale = Number(zoom) / 100;
  return html`<div class="filters">
      <${Choice}
        label="Size"
        value=${zoom}
        choices=${ZOOMS.map((one) => [one, one + " %"])}
        onValue=${(/** @type {string} */ one) => setQuery({ zoom: one === "100" ? "" : one })}
      />
    </div>
    <div class="graph" role="region" aria-label="Graph of the steps" tabindex="0">
      <svg
        width=${width * scale}
        height=${height * scale}
        viewBox=${`0 0 ${width} ${height}`}
        role="group"
        aria-label=${counted(steps.length, "step") + "; the table below has the same"}
      >
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path class="tip" d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        ${edges.map(
          ({ from, to, when, points }) =>
            html`<path
              key=${from + " " + to}
              class=${when === "succeeded" ? "edge" : "edge conditional"}
              d=${lineThrough(points)}
              marker-end="url(#tip)"
            />`,
        )}
        ${edges
          .filter(({ when }) => when !== "succeeded")
          .map(({ from, to, when, points }) => {
            const { x, y } = points[Math.floor(points.length / 2)];
            return html`<text key=${from + " " + to} class="edge-label" x=${x} y=${y - 4}>${when}</text>`;
          })}
        ${steps.map(
          (step) =>
            html`<${Node}
              key=${step.name}
              step=${step}
              place=${places.get(step.name)}
              chosen=${step.name === chosen}
            />`,
        )}
      </svg>
    </div>`;
}

/** @param {{step: Step, place: {x: number, y: number}, chosen: boolean}} properties */
function Node({ step, place: { x, y }, chosen }) {
  const counts = countsByState(step);
  const parts = counts.reduce((sum, [, count]) => sum + count, 0);
  const text =
    parts > 1
      ? counts.map(([state, count]) => count + " " + words(state)).join(", ")
      : words(step.state) + (step.exitHandler ? ", at the end" : "");
  /** @param {MouseEvent} event */
  const choose = (event) => {
    event.preventDefault();
    setQuery({ step: chosen ? "" : step.name });
  };
  return html`<a
    href=${"?step=" + encodeURIComponent(step.name)}
    class=${tone(step.state) + (chosen ? " chosen" : "")}
    transform=${`translate(${x - NODE.width / 2} ${y - NODE.height / 2})`}
    aria-label=${visible(step.name) + ": " + words(step.state) + (parts > 1 ? "; " + text : "")}
    onClick=${choose}
  >
    <title>${visible(step.name)}: ${words(step.state)}. ${parts > 1 ? text + ". " : ""}${visible(step.reason)}</title>
    <rect width=${NODE.width} height=${NODE.height} rx="7" />
    <text class="step-name" x="10" y="19">${visible(shortened(step.name, NAME_MAX))}</text>
    <text x="10" y="37">${shortened(text, TEXT_MAX)}</text>
  </a>`;
}
