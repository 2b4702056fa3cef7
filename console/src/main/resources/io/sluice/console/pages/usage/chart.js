// SPDX-License-Identifier: Apache-2.0
// Chip-hours over days as stacked bars. The table beside it has the same numbers.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { html } from "../../shared/html.js";
import { visible } from "../../shared/text.js";
import { stacked } from "./sums.js";

/** Groups with a colour of their own; usage.css has a variable for each. */
export const COLOURS = 8;
const HEIGHT = 260;

/** @type {Intl.DateTimeFormat} */
export const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/**
 * @param {object} properties
 * @param {import("./sums.js").GroupSum[]} properties.sums at most COLOURS, the lowest layer first
 * @param {import("./sums.js").Period[]} properties.days
 */
export function UsageChart({ sums, days }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const key = JSON.stringify([sums.map(({ group, byDay }) => [group, byDay]), days.map(({ from }) => from)]);
  useEffect(() => {
    const element = /** @type {HTMLDivElement} */ (box.current);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let plot = draw(element, sums, days);
    const again = () => {
      plot.destroy();
      plot = draw(element, sums, days);
    };
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    dark.addEventListener("change", again);
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", again);
      plot.destroy();
    };
  }, [key]);
  return html`<div
      class="usage-chart"
      ref=${box}
      role="img"
      aria-label="Chip-hours of each day, stacked by group; the table below has the numbers"
    ></div>
    <ul class="usage-legend" aria-label="Colours of the chart, from bottom to top">
      ${sums.map(
        ({ group }, i) =>
          html`<li key=${group}><span class="usage-key" style=${{ background: `var(--usage-${i % COLOURS})` }}></span> ${visible(group)}</li>`,
      )}
    </ul>`;
}

/**
 * @param {HTMLElement} element
 * @param {import("./sums.js").GroupSum[]} sums
 * @param {import("./sums.js").Period[]} days
 */
function draw(element, sums, days) {
  const style = getComputedStyle(element);
  /** @param {string} name */
  const colour = (name) => style.getPropertyValue(name).trim();
  const bars = /** @type {import("uplot").Series.BarsPathBuilderFactory} */ (uPlot.paths.bars)({
    size: [0.7, 90],
  });
  // The highest layer comes first, so that each lower one is drawn over it.
  const layers = stacked(sums.map(({ byDay }) => byDay)).map((values, i) => ({ values, i })).reverse();
  const axis = {
    stroke: colour("--ink"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "12px " + style.fontFamily,
  };
  const options = {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: /** @type {() => [number, number]} */ (() => [-0.6, days.length - 0.4]) },
      y: { range: /** @type {(plot: uPlot, low: number, high: number) => [number, number]} */ ((_, __, high) => [0, high > 0 ? high * 1.1 : 1]) },
    },
    axes: [
      {
        ...axis,
        space: 60,
        incrs: [1, 2, 7, 14, 28],
        values: (/** @type {uPlot} */ _, /** @type {number[]} */ splits) =>
          splits.map((i) => (days[i] ? DAY.format(days[i].from) : "")),
      },
      { ...axis, label: "chip-hours", labelFont: axis.font, size: 60 },
    ],
    series: [
      {},
      ...layers.map(({ i }) => ({
        paths: bars,
        points: { show: false },
        fill: colour("--usage-" + (i % COLOURS)),
        stroke: colour("--ground"),
        width: 1,
      })),
    ],
  };
  // A bar without height would still get a frame.
  const heights = layers.map(({ values }) => values.map((value) => (value > 0 ? value : null)));
  return new uPlot(options, [days.map((_, i) => i), ...heights], element);
}
