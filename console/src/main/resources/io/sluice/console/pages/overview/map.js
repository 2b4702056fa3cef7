// SPDX-License-Identifier: Apache-2.0
// The fleet map: each slice as a cell, with a panel about the slice that is pointed at.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { address, setQuery } from "../../shared/router.js";
import { counted, number, visible } from "../../shared/text.js";
import { Choice, Empty } from "../../shared/widgets.js";
import { STATES, groupsOf, nameOf, tintsOf, usesOf } from "./fleet.js";
import { layoutOf, sliceAt, sliceByKey } from "./layout.js";
import { framesOf, pathsOf } from "./paths.js";
import { HIDDEN, SliceList, SlicePanel } from "./slice.js";

/** @typedef {import("./fleet.js").Group} Group */

/** Holders that the legend names at most. */
const LEGEND_MAX = 24;

/** @type {Record<string, string>} */
const COLOURS = { team: "team", clusterQueue: "ClusterQueue", namespace: "namespace" };

const COLOUR_DEFAULT = "team";

/**
 * @param {{slices: MapSlice[], complete: boolean, names: string[], inTheWay: Set<string> | undefined}} properties
 *     names: of all ClusterQueues, so that a tint does not depend on the present holders;
 *     inTheWay: names of the slices to emphasize
 */
export function FleetMap({ slices, complete, names, inTheWay }) {
  const { query } = address.value;
  const asked = query.get("colour") ?? "";
  const colour = Object.hasOwn(COLOURS, asked) ? asked : COLOUR_DEFAULT;
  const selected = query.get("slice") ?? "";
  const [pointed, setPointed] = useState(/** @type {string | undefined} */ (undefined));
  const groups = useMemo(() => groupsOf(slices), [slices]);
  const tints = useMemo(
    () =>
      tintsOf([
        ...(colour === "clusterQueue" ? names : []),
        ...slices.flatMap(({ holders }) => holders).map((holder) => nameOf(holder, colour)).filter(Boolean),
      ]),
    [slices, names, colour],
  );
  const legend = useMemo(
    () => html`<${Legend} slices=${slices} colour=${colour} tints=${tints} />`,
    [slices, colour, tints],
  );
  const shown = pointed ?? selected;
  const slice = useMemo(() => slices.find(({ name }) => name === shown), [slices, shown]);
  return html`<div class="fleet-head">
      <${Choice}
        label="Colour by"
        value=${colour}
        choices=${Object.entries(COLOURS)}
        onValue=${(/** @type {string} */ value) =>
          setQuery({ colour: value === COLOUR_DEFAULT ? undefined : value })}
      />
      <div>${legend}</div>
    </div>
    ${!complete &&
    html`<p class="faint">Only the first ${number(slices.length)} slices by name are shown.</p>`}
    <div class="fleet">
      <div class="fleet-groups">
        ${groups.length === 0 && html`<${Empty}>The fleet has no slices.<//>`}
        ${groups.map(
          (group) =>
            html`<${GroupMap}
              key=${group.key}
              group=${group}
              tints=${tints}
              colour=${colour}
              shown=${shown}
              inTheWay=${inTheWay}
              onPoint=${setPointed}
            />`,
        )}
      </div>
      <${SlicePanel} slice=${slice} name=${shown} />
    </div>`;
}

/**
 * @param {{slices: MapSlice[], colour: string, tints: Map<string, number>}} properties
 */
function Legend({ slices, colour, tints }) {
  const { names, states } = useMemo(() => usesOf(slices, colour), [slices, colour]);
  return html`<ul class="fleet-legend" aria-label=${"Colours: slices held, by " + COLOURS[colour]}>
      ${names.slice(0, LEGEND_MAX).map(
        ([name, count]) =>
          html`<li>
            <svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">
              <path class=${"tint-" + (tints.get(name) ?? "none")} d="M0 0h14v14h-14z" />
            </svg>
            ${name ? visible(name) : HIDDEN} <span class="faint">${number(count)}</span>
          </li>`,
      )}
      ${names.length > LEGEND_MAX && html`<li class="faint">and ${names.length - LEGEND_MAX} more</li>`}
    </ul>
    <ul class="fleet-legend" aria-label="Marks of states">
      ${Object.entries(STATES)
        .filter(([state]) => states.has(state))
        .map(([state, text]) => html`<li><${StateKey} state=${state} /> ${text}</li>`)}
    </ul>`;
}

/** @type {Record<string, Partial<MapSlice>>} */
const EXAMPLES = {
  running: held("RUNNING"),
  starting: held("ADMITTED"),
  draining: held("DRAINING"),
  partly: { ...held("RUNNING"), partly: true },
  kept: { kept: true },
  claimed: { claimed: true },
  leaving: { condition: "LEAVING" },
  absent: { condition: "ABSENT" },
  failed: { failed: true },
};

/** @param {string} state of the holder */
function held(state) {
  return { holders: [{ clusterQueue: "", state }] };
}

/** An example cell of a state. @param {{state: string}} properties */
function StateKey({ state }) {
  const slice = /** @type {MapSlice} */ ({ name: "", condition: "READY", holders: [], ...EXAMPLES[state] });
  const layout = { size: 16, step: 16, width: 16, height: 16, labels: [], places: [{ slice, x: 0, y: 0 }] };
  return html`<svg class="swatch cells" viewBox="-1 -1 18 18" aria-hidden="true">
    <${Cells} paths=${pathsOf(layout, () => undefined)} />
  </svg>`;
}

/** @param {{paths: import("./paths.js").Paths}} properties */
function Cells({ paths }) {
  return html`${[...paths.fills].map(([look, path]) => html`<path key=${look} class=${look} d=${path} />`)}
  ${[...paths.marks].map(([state, path]) => html`<path key=${state} class=${"mark " + state} d=${path} />`)}`;
}

/** Returns the totals of a group as a sentence. @param {Group} group */
function totals(group) {
  const others = Object.entries(STATES)
    .filter(([state]) => !["running", "starting"].includes(state))
    .map(([state, text]) => [group.states[/** @type {"free"} */ (state)] ?? 0, text])
    .filter(([count]) => count !== 0)
    .map(([count, text]) => number(Number(count)) + " " + text);
  return (
    `${number(group.held)} of ${counted(group.count, "slice")} held, ` +
    `${number(group.heldChips)} of ${number(group.chips)} chips` +
    (others.length ? "; " + others.join(", ") : "")
  );
}

/**
 * @param {object} properties
 * @param {Group} properties.group
 * @param {Map<string, number>} properties.tints
 * @param {string} properties.colour
 * @param {string} properties.shown name of the slice in the panel
 * @param {Set<string> | undefined} properties.inTheWay
 * @param {(name: string | undefined) => void} properties.onPoint
 */
function GroupMap({ group, tints, colour, shown, inTheWay, onPoint }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (box.current);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const layout = useMemo(() => layoutOf(group, width), [group, width]);
  const paths = useMemo(
    () => pathsOf(layout, ({ holders: [holder] }) => holder && tints.get(nameOf(holder, colour))),
    [layout, tints, colour],
  );
  const obstacles = useMemo(
    () => inTheWay && framesOf(layout, ({ name }) => inTheWay.has(name)),
    [layout, inTheWay],
  );
  // The same element again is not compared, so that a pointer that moves costs next to nothing.
  const drawing = useMemo(
    () =>
      html`<g class="all"><${Cells} paths=${paths} /></g>
        ${layout.labels.map(
          (label) =>
            html`<text key=${label.name} x=${label.x} y=${label.y}>${short(label.name, label.width)}</text>`,
        )}`,
    [layout, paths],
  );
  const list = useMemo(() => html`<${SliceList} group=${group} />`, [group]);
  const focus = useMemo(() => framesOf(layout, ({ name }) => name === shown), [layout, shown]);
  /** @param {MouseEvent} event */
  const at = (event) => {
    const place = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    return sliceAt(layout, event.clientX - place.left, event.clientY - place.top)?.name;
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (/^(Arrow|Home$|End$)/.test(event.key)) {
      event.preventDefault();
      onPoint(sliceByKey(layout, shown, event.key)?.name);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      setQuery({ slice: shown });
    } else if (event.key === "Escape") {
      onPoint(undefined);
      setQuery({ slice: undefined });
    }
  };
  const name = `${visible(group.type)} ${visible(group.topology)}, ${visible(group.capacityType)}`;
  return html`<section class="fleet-group">
    <h3>${name} <span class="totals">${totals(group)}</span></h3>
    <div
      ref=${box}
      class=${"cells" + (inTheWay ? " dimmed" : "")}
      role="application"
      aria-roledescription="slice map"
      aria-label=${name + ": arrow keys move from slice to slice, Enter selects one"}
      tabindex="0"
      onPointerMove=${(/** @type {PointerEvent} */ event) => onPoint(at(event))}
      onPointerLeave=${() => onPoint(undefined)}
      onClick=${(/** @type {MouseEvent} */ event) => setQuery({ slice: at(event) })}
      onKeyDown=${press}
      onBlur=${() => onPoint(undefined)}
    >
      ${width > 0 &&
      html`<svg width=${width} height=${layout.height + 2} class=${layout.size < 12 ? "small" : ""} aria-hidden="true">
        ${drawing}
        ${obstacles && html`<path class="obstacles" d=${obstacles} />`}
        ${focus && html`<path class="focus" d=${focus} />`}
      </svg>`}
    </div>
    ${list}
  </section>`;
}

/** Shortens a name to a width; a character is at most 7 pixels wide. @param {string} name @param {number} width */
function short(name, width) {
  const fits = Math.max(2, Math.floor(width / 7));
  const text = visible(name);
  return text.length <= fits ? text : text.slice(0, fits - 1) + "…";
}
