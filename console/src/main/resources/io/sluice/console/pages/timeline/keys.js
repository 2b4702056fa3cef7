// SPDX-License-Identifier: Apache-2.0
// The keys of the timeline.

import { neighbour } from "./layout.js";

const ZOOM_STEP = 1.4;
/** The part of the view that an arrow key moves by. */
const PAN_STEP = 0.15;

/**
 * Moves, zooms or selects by a key that was pressed on the canvas.
 * @param {import("./chart.js").TimelineChart} chart
 * @param {KeyboardEvent} event
 */
export function pressKey(chart, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
  const down = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
  if (event.shiftKey && (across || down)) {
    const middle = (chart.range.from + chart.range.to) / 2;
    chart.select(neighbour(chart.layout, chart.selected, { across, down }, middle));
  } else if (across) {
    chart.panBy(across * chart.inner * PAN_STEP);
  } else if (down) {
    chart.rows.scrollBy({ top: down * 60 });
  } else if (event.key === "PageUp" || event.key === "PageDown") {
    chart.rows.scrollBy({ top: (event.key === "PageUp" ? -0.9 : 0.9) * chart.height });
  } else if (event.key === "+" || event.key === "=") {
    chart.zoomBy(1 / ZOOM_STEP);
  } else if (event.key === "-") {
    chart.zoomBy(ZOOM_STEP);
  } else if (event.key === "Home") {
    chart.showNow();
  } else if (event.key === "Escape") {
    chart.select(undefined);
  } else if (event.key === "Enter" && chart.selected) {
    chart.listeners.onOpen(chart.selected);
  } else {
    return;
  }
  event.preventDefault();
}
