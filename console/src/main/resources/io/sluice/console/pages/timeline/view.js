// SPDX-License-Identifier: Apache-2.0
// The canvas of the timeline with its buttons and panel, and the table of what it shows.

import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { address, navigate, setQuery } from "../../shared/router.js";
import { duration, moment, serverNow, visible } from "../../shared/text.js";
import { SCALE_HEIGHT, TimelineChart } from "./chart.js";
import { barsBetween } from "./layout.js";
import { EntryPanel, EntryTable, TABLE_MAX, nameOf, pageOf } from "./panel.js";
import { DAY, HOUR, MINUTE, SPAN_DEFAULT, around, rangeOf, spanText } from "./scale.js";

/** @typedef {import("./layout.js").EntryBar} EntryBar */
/** @typedef {import("./scale.js").Range} Range */

/** After this time without a move, the address takes the range. */
const ADDRESS_PAUSE = 300;

/** @type {[string, number][]} */
const SPANS = [
  ["1 hour", HOUR],
  ["6 hours", 6 * HOUR],
  ["1 day", DAY],
  ["1 week", 7 * DAY],
  ["1 month", 31 * DAY],
];

const RANGE_PARAMETERS = ["from", "to", "span", "at"];

/** Writes a range into the address, unless it is there. @param {Range} range @param {boolean} follows */
function keepRange({ from, to }, follows) {
  const { query } = address.value;
  const span = to - from === SPAN_DEFAULT ? undefined : spanText(to - from);
  /** @type {Record<string, string | undefined>} */
  const wanted = follows
    ? { span }
    : { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  if (RANGE_PARAMETERS.some((name) => (query.get(name) ?? undefined) !== wanted[name])) {
    setQuery(Object.fromEntries(RANGE_PARAMETERS.map((name) => [name, wanted[name]])));
  }
}

/** Whether two times differ by no more than the rounding of the address. @param {number} one @param {number} other */
function isNear(one, other) {
  return Math.abs(one - other) <= MINUTE;
}

/**
 * @param {object} properties
 * @param {import("./layout.js").Layout} properties.layout
 * @param {{range?: Range, span: number}} properties.first
 * @param {Range} properties.range
 * @param {(range: Range) => void} properties.setRange
 * @param {string[]} properties.closed
 */
export function Chart({ layout, first, range, setRange, closed }) {
  const rows = useRef(/** @type {HTMLDivElement | null} */ (null));
  const view = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const scale = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const chart = useRef(/** @type {TimelineChart | undefined} */ (undefined));
  const [shown, setShown] = useState(
    /** @type {{bar?: EntryBar, place: {x: number, y: number}, pinned: boolean}} */ ({ place: { x: 0, y: 0 }, pinned: false }),
  );
  const pinned = useRef(false);
  useEffect(() => {
    let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    /** @param {Range} moved @param {boolean} follows */
    const onRange = (moved, follows) => {
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          setRange(moved);
          keepRange(moved, follows);
        },
        follows ? 0 : ADDRESS_PAUSE,
      );
    };
    const made = new TimelineChart(
      /** @type {HTMLDivElement} */ (rows.current),
      /** @type {HTMLCanvasElement} */ (view.current),
      /** @type {HTMLCanvasElement} */ (scale.current),
      range,
      first.range === undefined,
      {
        onRange,
        onSelect: (bar, place) => {
          pinned.current = bar !== undefined;
          setShown({ bar, place, pinned: pinned.current });
        },
        onHover: (bar, place) => {
          if (!pinned.current) {
            setShown({ bar, place, pinned: false });
          }
        },
        onChange: (bar) => {
          pinned.current &&= bar !== undefined;
          setShown((before) => (before.bar === bar ? before : { ...before, bar, pinned: pinned.current }));
        },
        onOpen: (bar) => {
          const page = pageOf(bar);
          if (page) {
            navigate(page);
          }
        },
      },
    );
    chart.current = made;
    return () => {
      clearTimeout(timer);
      made.close();
    };
  }, []);
  useEffect(() => chart.current?.setLayout(layout), [layout]);
  const { query } = address.value;
  useEffect(() => {
    const asked = rangeOf(query);
    const { range: old, follows } = /** @type {TimelineChart} */ (chart.current);
    const moved = asked.range ? !follows && isNear(asked.range.from, old.from) : follows;
    if (!moved || !isNear(asked.span, old.to - old.from)) {
      chart.current?.setRange(asked.range ?? around(serverNow(), asked.span), !asked.range);
    }
  }, RANGE_PARAMETERS.map((name) => query.get(name)));
  const span = range.to - range.from;
  /** @param {string} key */
  const toggle = (key) =>
    setQuery({ closed: closed.includes(key) ? closed.filter((one) => one !== key) : [...closed, key] });
  const { bar, place } = shown;
  const box = { width: rows.current?.clientWidth ?? 0, height: (rows.current?.clientHeight ?? 0) + SCALE_HEIGHT };
  return html`<div class="timeline-tools" role="group" aria-label="Period">
      <button type="button" onClick=${() => chart.current?.showNow()}>Now</button>
      <button type="button" aria-label="Earlier" onClick=${() => chart.current?.panBy(-chart.current.inner * 0.5)}>←</button>
      <button type="button" aria-label="Later" onClick=${() => chart.current?.panBy(chart.current.inner * 0.5)}>→</button>
      <button type="button" aria-label="Zoom in" onClick=${() => chart.current?.zoomBy(1 / 1.6)}>+</button>
      <button type="button" aria-label="Zoom out" onClick=${() => chart.current?.zoomBy(1.6)}>−</button>
      ${SPANS.map(
        ([name, length]) =>
          html`<button type="button" aria-pressed=${Math.abs(span - length) < 60_000} onClick=${() => chart.current?.zoomBy(length / (chart.current.range.to - chart.current.range.from))}>${name}</button>`,
      )}
      <span class="faint">${moment(range.from)} to ${moment(range.to)}, ${duration(span)}</span>
    </div>
    <div class="timeline">
      <div class="timeline-scale" aria-hidden="true"><canvas ref=${scale}></canvas></div>
      <div class="timeline-rows" ref=${rows}>
        <div style=${{ height: layout.height + "px", minHeight: "100%" }}>
          <canvas
            class="timeline-view"
            ref=${view}
            tabindex="0"
            role="application"
            aria-label="Use of slices and quota over time"
            aria-describedby="timeline-keys"
          ></canvas>
          ${layout.rows
            .filter(({ heading }) => heading)
            .map(
              ({ key, name, top, closed: isClosed, heading }) =>
                html`<button
                  type="button"
                  key=${key}
                  class="timeline-heading"
                  style=${{ top: top + "px" }}
                  aria-expanded=${!isClosed}
                  onClick=${() => toggle(key)}
                >
                  ${isClosed ? "▸" : "▾"} ${visible(name)}${" "}<span class="faint">${heading?.rows.length}</span>
                </button>`,
            )}
        </div>
      </div>
      ${bar && html`<${EntryPanel} bar=${bar} place=${place} box=${box} pinned=${shown.pinned} close=${() => { chart.current?.select(undefined); view.current?.focus(); }} />`}
    </div>
    <p class="unseen" role="status">${shown.pinned && bar ? nameOf(bar) + ", " + bar.kind + ", from " + moment(bar.start ?? bar.from) : ""}</p>
    <p class="faint" id="timeline-keys">
      Drag, or use the arrow keys, to move. Zoom by Ctrl and the wheel, two fingers, or + and −. Home
      returns to now.
      Shift and the arrow keys select an entry, Enter opens it.
    </p>`;
}

/** @param {{layout: import("./layout.js").Layout, range: Range}} properties */
export function TableInView({ layout, range }) {
  const [open, setOpen] = useState(false);
  let total = 0;
  /** @type {EntryBar[]} */
  const bars = [];
  for (const { lanes } of open ? layout.rows : []) {
    for (const lane of lanes) {
      const [from, to] = barsBetween(lane, range.from, range.to);
      total += to - from;
      bars.push(...lane.bars.slice(from, Math.min(to, from + TABLE_MAX)));
    }
  }
  bars.sort((one, other) => one.from - other.from);
  return html`<details onToggle=${(/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.target).open)}>
    <summary>Entries in view as a table</summary>
    ${open && html`<${EntryTable} bars=${bars.slice(0, TABLE_MAX)} total=${total} />`}
  </details>`;
}
