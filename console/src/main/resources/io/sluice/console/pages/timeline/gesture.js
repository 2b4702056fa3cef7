// SPDX-License-Identifier: Apache-2.0
// The mouse and fingers on the timeline: one drags or selects, two zoom.

/** Pixels that a press may move and still be a click. */
const CLICK_SLACK = 4;

/**
 * What a gesture does to a chart.
 * @typedef {object} Target
 * @property {(pixels: number) => void} panBy
 * @property {(factor: number, x: number) => void} zoomAt `x` keeps its time
 * @property {(x: number, y: number) => void} click
 */

/** Follows pointers from their press to their end, at most two at a time. */
export class Gesture {
  /** @param {Target} target */
  constructor(target) {
    this.target = target;
    /** @type {Map<number, number>} the place of each pointer across the chart */
    this.pointers = new Map();
    this.begun = { x: 0, y: 0 };
    /** Whether the pointers did more than press. */
    this.moved = false;
  }

  /** @param {number} pointer @param {number} x @param {number} y */
  press(pointer, x, y) {
    if (this.pointers.size === 2) {
      return;
    }
    this.moved = this.pointers.size > 0;
    this.pointers.set(pointer, x);
    this.begun = { x, y };
  }

  /** @param {number} pointer @param {number} x */
  move(pointer, x) {
    const before = this.pointers.get(pointer);
    if (before === undefined) {
      return;
    }
    this.moved ||= Math.abs(x - this.begun.x) > CLICK_SLACK;
    if (!this.moved) {
      return;
    }
    const old = this.extent();
    this.pointers.set(pointer, x);
    const now = this.extent();
    this.target.panBy(old.middle - now.middle);
    if (this.pointers.size === 2) {
      this.target.zoomAt(old.length / now.length, now.middle);
    }
  }

  /** Where the pointers are, and how far from each other, at least a little: two may meet. */
  extent() {
    const places = [...this.pointers.values()];
    const [least, most] = [Math.min(...places), Math.max(...places)];
    return { middle: (least + most) / 2, length: Math.max(10, most - least) };
  }

  /** @param {number} pointer @param {boolean} [cancelled] whether the browser took the pointer for itself */
  end(pointer, cancelled = false) {
    if (this.pointers.delete(pointer) && this.pointers.size === 0 && !this.moved && !cancelled) {
      this.target.click(this.begun.x, this.begun.y);
    }
  }
}
