// SPDX-License-Identifier: Apache-2.0
// Colours and patterns of the timeline's canvas, taken from the style sheet.

/** Colours of queues; timeline.css has a variable for each. */
export const HUES = 8;

/** The colour of each kind when colours show states. */
/** @type {Record<string, string>} */
const STATE_COLOURS = {
  past: "--neutral",
  running: "--running",
  draining: "--draining",
  firm: "--good",
  promised: "--starting",
  expected: "--waiting",
  booked: "--accent",
  outage: "--bad",
  run: "--accent",
};

/** @typedef {"hatch" | "cross" | "dots" | "lines"} Pattern */

/** Colours of one colour scheme, and patterns drawn in them. */
export class Palette {
  /** @param {Element} element whose style has the variables */
  constructor(element) {
    const style = getComputedStyle(element);
    /** @param {string} name */
    const read = (name) => style.getPropertyValue(name).trim();
    this.ground = read("--ground");
    this.raised = read("--raised");
    this.line = read("--line");
    this.ink = read("--ink");
    this.faint = read("--faint");
    this.accent = read("--accent");
    this.now = read("--bad");
    this.font = style.fontFamily;
    /** @type {Map<string, string>} */
    this.colours = new Map(
      Object.entries(STATE_COLOURS).map(([kind, variable]) => [kind, read(variable)]),
    );
    for (let hue = 0; hue < HUES; hue++) {
      this.colours.set(String(hue), read("--timeline-" + hue));
    }
    /** @type {Map<string, CanvasPattern | string>} */
    this.patterns = new Map();
  }

  /** Returns the colour of a look, as of `running 3` or `past`. @param {string} look */
  colour(look) {
    const space = look.indexOf(" ");
    return this.colours.get(space < 0 ? look : look.slice(space + 1)) ?? this.faint;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Pattern} pattern
   * @param {string} colour
   * @returns {CanvasPattern | string}
   */
  pattern(context, pattern, colour) {
    const key = pattern + colour;
    let made = this.patterns.get(key);
    if (made === undefined) {
      made = context.createPattern(tile(pattern, colour), "repeat") ?? colour;
      this.patterns.set(key, made);
    }
    return made;
  }
}

const TILE = 8;

/** @param {Pattern} pattern @param {string} colour */
function tile(pattern, colour) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = TILE;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.4;
  context.beginPath();
  if (pattern === "dots") {
    context.fillRect(1, 1, 2, 2);
    context.fillRect(5, 5, 2, 2);
  } else if (pattern === "lines") {
    context.fillRect(0, 2, TILE, 1.4);
    context.fillRect(0, 6, TILE, 1.4);
  } else {
    // Three lines, so that the pattern has no gap where tiles meet.
    for (const offset of [-TILE, 0, TILE]) {
      context.moveTo(offset, TILE);
      context.lineTo(offset + TILE, 0);
      if (pattern === "cross") {
        context.moveTo(offset, 0);
        context.lineTo(offset + TILE, TILE);
      }
    }
    context.stroke();
  }
  return canvas;
}
