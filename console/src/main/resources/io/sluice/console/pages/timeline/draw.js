// SPDX-License-Identifier: Apache-2.0
// Draws the timeline: rows in view, their bars, ticks, and the line of now.

import { visible } from "../../shared/text.js";
import { LANE_HEIGHT, laneTop, piecesOf, rowsBetween } from "./layout.js";
import { ticks } from "./scale.js";

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./layout.js").EntryBar} EntryBar */

/**
 * @typedef {object} Scene the input of a drawing; lengths are CSS pixels
 * @property {import("./layout.js").Layout} layout
 * @property {import("./scale.js").Range} range
 * @property {number} width with the names of rows
 * @property {number} height
 * @property {number} names the width of the names of rows
 * @property {number} scroll the top of the view within all rows
 * @property {number} now
 * @property {EntryBar} [selected]
 * @property {EntryBar} [hovered]
 */

/** Pieces that are too narrow for a frame. */
const FRAME_MIN = 4;
const TEXT_MIN = 34;
const BAR_HEIGHT = LANE_HEIGHT - 3;

/**
 * Draws the rows in view.
 * @param {CanvasRenderingContext2D} context scaled to CSS pixels
 * @param {Scene} scene
 * @param {Palette} palette
 */
export function drawRows(context, scene, palette) {
  const { layout, range, width, height, names, scroll, now } = scene;
  const inner = width - names;
  const scale = inner / (range.to - range.from);
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, width, height);
  context.textBaseline = "middle";
  context.font = "12px " + palette.font;

  context.save();
  context.beginPath();
  context.rect(names, 0, inner, height);
  context.clip();
  context.translate(names, 0);
  for (const { time, major } of ticks(range, inner)) {
    context.fillStyle = major ? palette.faint : palette.line;
    context.fillRect(Math.round((time - range.from) * scale), 0, 1, height);
  }
  const [first, last] = rowsBetween(layout, scroll, scroll + height);
  const nowAt = (now - range.from) * scale;
  for (let i = first; i < last; i++) {
    const row = layout.rows[i];
    const top = row.top - scroll;
    if (row.heading) {
      context.fillStyle = palette.raised;
      context.fillRect(0, top, inner, row.height);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, top + row.height - 1, inner, 1);
    for (const [lane, bars] of row.lanes.entries()) {
      const y = Math.round(laneTop(row, lane) - scroll);
      for (const piece of piecesOf(bars, range, inner)) {
        drawPiece(context, piece, y, scene, palette, scale, nowAt);
      }
    }
  }
  if (nowAt >= 0 && nowAt <= inner) {
    context.fillStyle = palette.now;
    context.fillRect(Math.round(nowAt) - 1, 0, 2, height);
  }
  context.restore();
  if (names > 0) {
    drawNames(context, scene, palette, first, last);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Palette} palette
 * @param {number} first
 * @param {number} last
 */
function drawNames(context, { layout, height, names, scroll }, palette, first, last) {
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, names, height);
  for (let i = first; i < last; i++) {
    const row = layout.rows[i];
    const top = row.top - scroll;
    if (row.heading) {
      context.fillStyle = palette.raised;
      context.fillRect(0, top, names, row.height);
    } else {
      context.fillStyle = palette.ink;
      // The name of a row that is cut at the top stays in view.
      const middle = Math.min(top + row.height, Math.max(top, 0) + LANE_HEIGHT + 4) - LANE_HEIGHT / 2 - 2;
      context.fillText(visible(row.name), 8, middle, names - 14);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, top + row.height - 1, names, 1);
  }
  context.fillStyle = palette.faint;
  context.fillRect(names - 1, 0, 1, height);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./layout.js").Piece} piece
 * @param {number} y
 * @param {Scene} scene
 * @param {Palette} palette
 * @param {number} scale pixels of a millisecond
 * @param {number} nowAt
 */
function drawPiece(context, piece, y, scene, palette, scale, nowAt) {
  const { bar, left } = piece;
  const colour = palette.colour(bar.look);
  const width = Math.max(1, piece.right - left);
  if (bar.kind === "run") {
    drawMark(context, left, y, colour);
  } else if (width < FRAME_MIN) {
    context.fillStyle = colour;
    // Whole pixels need no smoothing, and narrow bars are the most.
    context.fillRect(Math.round(left), y, Math.round(width), BAR_HEIGHT);
  } else if (bar.kind === "expected") {
    drawExpected(context, bar, y, scene, palette, scale);
  } else {
    drawBar(context, bar, left, y, width, palette, nowAt);
  }
  if (width >= TEXT_MIN && bar.kind !== "run") {
    // The name of an estimate is beside the median, so that both can be seen.
    const begin = bar.kind === "expected" ? ((bar.start ?? bar.from) - scene.range.from) * scale + 2 : left;
    drawText(context, bar, begin, y, piece.right - begin, palette);
  }
  if (scene.selected === bar || scene.hovered === bar) {
    context.strokeStyle = scene.selected === bar ? palette.ink : palette.accent;
    context.lineWidth = 2;
    context.strokeRect(left - 1, y - 1, width + 2, BAR_HEIGHT + 2);
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {string} colour */
function drawMark(context, x, y, colour) {
  const half = BAR_HEIGHT / 2 - 2;
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y + half + 2 - half);
  context.lineTo(x + half, y + half + 2);
  context.lineTo(x, y + half + 2 + half);
  context.lineTo(x - half, y + half + 2);
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {EntryBar} bar
 * @param {number} left
 * @param {number} y
 * @param {number} width
 * @param {Palette} palette
 * @param {number} nowAt
 */
function drawBar(context, bar, left, y, width, palette, nowAt) {
  const colour = palette.colour(bar.look);
  const right = left + width;
  if (bar.kind === "past") {
    context.fillStyle = colour;
    fillFaintly(context, left, y, width, 0.22);
    context.fillRect(left, y + BAR_HEIGHT - 2, width, 2);
    context.fillRect(left, y, 1, BAR_HEIGHT);
    return;
  }
  context.fillStyle = palette.ground;
  context.fillRect(left, y, width, BAR_HEIGHT);
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  if (bar.kind === "running" || bar.kind === "draining") {
    const seam = Math.min(right, Math.max(left, nowAt));
    fillFaintly(context, left, y, seam - left, 0.42);
    if (bar.kind === "draining") {
      context.fillStyle = palette.pattern(context, "dots", colour);
      context.fillRect(left, y, seam - left, BAR_HEIGHT);
    }
    context.fillStyle = palette.pattern(context, "hatch", colour);
    context.fillRect(seam, y, right - seam, BAR_HEIGHT);
  } else if (bar.kind === "firm") {
    fillFaintly(context, left, y, width, 0.14);
    context.lineWidth = 2;
  } else if (bar.kind === "promised") {
    context.setLineDash([5, 3]);
  } else {
    context.fillStyle = palette.pattern(context, bar.kind === "outage" ? "cross" : "lines", colour);
    context.fillRect(left, y, width, BAR_HEIGHT);
  }
  context.strokeRect(left + 0.5, y + 0.5, width - 1, BAR_HEIGHT - 1);
  context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} alpha
 */
function fillFaintly(context, x, y, width, alpha) {
  context.globalAlpha = alpha;
  context.fillRect(x, y, width, BAR_HEIGHT);
  context.globalAlpha = 1;
}

/**
 * Draws an estimate: its period as dots from the median on, the range of the start as a whisker.
 * @param {CanvasRenderingContext2D} context
 * @param {EntryBar} bar
 * @param {number} y
 * @param {Scene} scene
 * @param {Palette} palette
 * @param {number} scale
 */
function drawExpected(context, bar, y, { range, width }, palette, scale) {
  /** @param {number} time */
  const at = (time) => Math.min(width + 8, Math.max(-8, (time - range.from) * scale));
  const colour = palette.colour(bar.look);
  const start = at(bar.start ?? bar.from);
  const end = at(bar.to);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([1, 3]);
  context.strokeRect(start + 0.5, y + 2.5, Math.max(1, end - start - 1), BAR_HEIGHT - 5);
  context.setLineDash([]);
  const [first, last] = [at(bar.earliest ?? bar.from), at(bar.latest ?? bar.to)];
  const middle = y + BAR_HEIGHT / 2;
  context.fillStyle = colour;
  context.globalAlpha = 0.6;
  context.fillRect(first, middle - 1, last - first, 2);
  context.fillRect(first, y + 3, 1.5, BAR_HEIGHT - 6);
  if (bar.latest !== undefined) {
    context.fillRect(last - 1.5, y + 3, 1.5, BAR_HEIGHT - 6);
  }
  context.globalAlpha = 1;
  context.fillRect(start - 1, y + 1, 3, BAR_HEIGHT - 2);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {EntryBar} bar
 * @param {number} left
 * @param {number} y
 * @param {number} width
 * @param {Palette} palette
 */
function drawText(context, bar, left, y, width, palette) {
  const from = Math.max(left, 0) + 4;
  const room = left + width - from - 3;
  const name = bar.name === undefined ? "not readable" : visible(bar.name) + (bar.index ? `[${bar.index}]` : "");
  if (room < TEXT_MIN - 8 || name === "") {
    return;
  }
  const fits = Math.floor(room / 6.6);
  const text = name.length > fits ? name.slice(0, Math.max(1, fits - 1)) + "…" : name;
  const hatched = bar.kind !== "past" && bar.kind !== "firm" && bar.kind !== "promised";
  if (hatched) {
    // A halo keeps the name readable on hatching.
    context.strokeStyle = palette.ground;
    context.lineWidth = 3;
    context.strokeText(text, from, y + BAR_HEIGHT / 2 + 0.5);
  }
  context.fillStyle = palette.ink;
  context.fillText(text, from, y + BAR_HEIGHT / 2 + 0.5);
}

/**
 * Draws the scale above the rows.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Palette} palette
 */
export function drawScale(context, { range, width, names, now }, palette) {
  const AXIS = 26;
  const inner = width - names;
  const scale = inner / (range.to - range.from);
  context.fillStyle = palette.raised;
  context.fillRect(0, 0, width, AXIS);
  context.textBaseline = "middle";
  for (const { time, label, major } of ticks(range, inner)) {
    const x = names + (time - range.from) * scale;
    context.fillStyle = major ? palette.ink : palette.faint;
    context.font = (major ? "bold " : "") + "12px " + palette.font;
    context.fillRect(Math.round(x), AXIS - 6, 1, 6);
    context.fillText(label, x + 4, AXIS / 2);
  }
  const x = names + (now - range.from) * scale;
  if (x >= names && x <= width) {
    context.fillStyle = palette.now;
    context.fillRect(Math.round(x) - 1, AXIS - 10, 2, 10);
  }
}
