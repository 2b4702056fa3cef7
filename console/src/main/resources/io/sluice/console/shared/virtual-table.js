// SPDX-License-Identifier: Apache-2.0
// A table of any length, of which only the rows in view are drawn.

import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";

/** The height of a row in pixels; style.css has the same. */
export const ROW = 34;
const MARGIN = 12;
/** Browsers draw elements up to some 16 million pixels high. */
const HEIGHT_MAX = 15_000_000;

/**
 * @param {object} properties
 * @param {string} properties.label
 * @param {import("preact").ComponentChildren[]} properties.head names of the columns
 * @param {number} properties.count of all rows, drawn or not
 * @param {(index: number) => import("preact").ComponentChildren[] | undefined} properties.row cells;
 *     undefined: not there yet
 * @param {(index: number) => string} [properties.rowClass]
 * @param {(first: number, last: number) => void} properties.onRange told of the rows in view
 * @param {string} properties.kind a class that sets the widths of columns
 */
export function VirtualTable({ label, head, count, row, rowClass, onRange, kind }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [view, setView] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (box.current);
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / ROW) - MARGIN);
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / ROW) + MARGIN);
  useEffect(() => {
    if (last >= first) {
      onRange(first, last);
    }
  });
  const drawn = [];
  for (let index = first; index <= last; index++) {
    const cells = row(index);
    drawn.push(
      html`<div role="row" key=${index} class=${"row " + (rowClass?.(index) ?? "")} aria-rowindex=${index + 2}>
        ${cells
          ? cells.map((cell) => html`<div role="cell">${cell}</div>`)
          : html`<div role="cell" class="faint">…</div>`}
      </div>`,
    );
  }
  const height = Math.min(count * ROW, HEIGHT_MAX);
  return html`<div
    class=${"virtual " + kind}
    ref=${box}
    role="table"
    aria-label=${label}
    aria-rowcount=${count + 1}
    tabindex="0"
  >
    <div role="rowgroup" class="head">
      <div role="row" class="row" aria-rowindex="1">
        ${head.map((name) => html`<div role="columnheader">${name}</div>`)}
      </div>
    </div>
    <div role="rowgroup" style=${{ height: height + "px", position: "relative" }}>
      <div role="presentation" style=${{ position: "absolute", top: first * ROW + "px", left: 0, right: 0 }}>
        ${drawn}
      </div>
    </div>
  </div>`;
}
