// SPDX-License-Identifier: Apache-2.0
// The canvas of the timeline: size, frames, mouse, touch and keyboard.

import { serverNow } from "../../shared/text.js";
import { drawRows, drawScale } from "./draw.js";
import { Gesture } from "./gesture.js";
import { pressKey } from "./keys.js";
import { counterpart, hit, laneTop } from "./layout.js";
import { Palette } from "./palette.js";
import { around, pan, zoom } from "./scale.js";

/** @typedef {import("./layout.js").EntryBar} EntryBar */
/** @typedef {import("./scale.js").Range} Range */

export const SCALE_HEIGHT = 26;

/**
 * @typedef {object} Listeners
 * @property {(range: Range, follows: boolean) => void} onRange
 * @property {(bar: EntryBar | undefined, place: {x: number, y: number}) => void} onSelect
 * @property {(bar: EntryBar | undefined, place: {x: number, y: number}) => void} onHover
 * @property {(bar: EntryBar | undefined) => void} onChange told the entry in the panel after each new layout
 * @property {(bar: EntryBar) => void} onOpen
 */

/** Draws the layout at most once a frame, and turns input into changes of the range and selection. */
export class TimelineChart {
  /**
   * @param {HTMLElement} rows scrolls vertically
   * @param {HTMLCanvasElement} view sticks to the top of `rows`
   * @param {HTMLCanvasElement} scale
   * @param {Range} range
   * @param {boolean} follows whether the range moves with now
   * @param {Listeners} listeners
   */
  constructor(rows, view, scale, range, follows, listeners) {
    this.rows = rows;
    this.view = view;
    this.scale = scale;
    this.range = range;
    this.follows = follows;
    this.listeners = listeners;
    /** @type {import("./layout.js").Layout} */
    this.layout = { rows: [], height: 0 };
    this.palette = new Palette(rows);
    /** @type {EntryBar | undefined} */
    this.selected = undefined;
    /** @type {EntryBar | undefined} */
    this.hovered = undefined;
    this.frame = 0;
    this.width = 0;
    this.height = 0;
    this.gesture = new Gesture({
      panBy: (pixels) => this.panBy(pixels),
      zoomAt: (factor, x) => this.zoomAt(factor, x),
      click: (x, y) => this.select(this.barAt({ x, y }), { x, y }),
    });
    this.aborter = new AbortController();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(rows);
    const { signal } = this.aborter;
    rows.addEventListener("scroll", () => this.request(), { passive: true, signal });
    rows.addEventListener("wheel", (event) => this.wheel(event), { passive: false, signal });
    view.addEventListener("pointerdown", (event) => this.press(event), { signal });
    view.addEventListener("pointermove", (event) => this.move(event), { signal });
    view.addEventListener("pointerup", (event) => this.lift(event), { signal });
    view.addEventListener("pointercancel", (event) => this.lift(event), { signal });
    view.addEventListener("pointerleave", () => this.setHovered(undefined, { x: 0, y: 0 }), { signal });
    view.addEventListener("keydown", (event) => pressKey(this, event), { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener(
      "change",
      () => {
        this.palette = new Palette(rows);
        this.request();
      },
      { signal },
    );
    this.clock = setInterval(() => this.tick(), 1000);
    this.resize();
  }

  close() {
    cancelAnimationFrame(this.frame);
    clearInterval(this.clock);
    this.observer.disconnect();
    this.aborter.abort();
  }

  /** @param {import("./layout.js").Layout} layout */
  setLayout(layout) {
    this.layout = layout;
    this.hovered = this.hovered && counterpart(layout, this.hovered);
    this.selected = this.selected && counterpart(layout, this.selected);
    this.listeners.onChange(this.selected ?? this.hovered);
    this.request();
  }

  /** The width of the names of rows. */
  get names() {
    return this.width < 600 ? 96 : 150;
  }

  get inner() {
    return Math.max(1, this.width - this.names);
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.rows.clientWidth;
    this.height = this.rows.clientHeight;
    for (const [canvas, height] of /** @type {[HTMLCanvasElement, number][]} */ ([
      [this.view, this.height],
      [this.scale, SCALE_HEIGHT],
    ])) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = this.width + "px";
      canvas.style.height = height + "px";
    }
    this.request();
  }

  tick() {
    if (this.follows) {
      this.range = around(serverNow(), this.range.to - this.range.from);
      this.listeners.onRange(this.range, true);
    }
    this.request();
  }

  request() {
    if (this.frame === 0) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw();
      });
    }
  }

  draw() {
    const scene = {
      layout: this.layout,
      range: this.range,
      width: this.width,
      height: this.height,
      names: this.names,
      scroll: this.rows.scrollTop,
      now: serverNow(),
      selected: this.selected,
      hovered: this.hovered,
    };
    const ratio = devicePixelRatio || 1;
    /** @type {[HTMLCanvasElement, typeof drawRows][]} */
    const parts = [
      [this.view, drawRows],
      [this.scale, drawScale],
    ];
    for (const [canvas, paint] of parts) {
      const context = canvas.getContext("2d", { alpha: false });
      if (context) {
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        paint(context, scene, this.palette);
      }
    }
  }

  /** @param {Range} range @param {boolean} [follows] */
  setRange(range, follows = false) {
    this.range = range;
    this.follows = follows;
    this.listeners.onRange(range, follows);
    this.request();
  }

  showNow() {
    this.setRange(around(serverNow(), this.range.to - this.range.from), true);
  }

  /** Shows another span; now keeps its place if it is in view, else the middle. @param {number} factor */
  zoomBy(factor) {
    const now = serverNow();
    const inView = now >= this.range.from && now <= this.range.to;
    const at = inView ? now : (this.range.from + this.range.to) / 2;
    this.setRange(zoom(this.range, factor, at), this.follows);
  }

  /** Shows another span; the time at a place keeps it. @param {number} factor @param {number} x */
  zoomAt(factor, x) {
    const at = this.range.from + ((x - this.names) / this.inner) * (this.range.to - this.range.from);
    this.setRange(zoom(this.range, factor, at));
  }

  /** @param {number} pixels */
  panBy(pixels) {
    this.setRange(pan(this.range, (pixels * (this.range.to - this.range.from)) / this.inner));
  }

  /** @param {{clientX: number, clientY: number}} event */
  placeOf(event) {
    const box = this.view.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {{x: number, y: number}} place */
  barAt({ x, y }) {
    if (x < this.names) {
      return undefined;
    }
    return hit(this.layout, this.range, this.inner, x - this.names, y + this.rows.scrollTop)?.piece.bar;
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoomAt(Math.exp(event.deltaY * 0.0025), this.placeOf(event).x);
    } else if (Math.abs(across) > 0 && (event.shiftKey || Math.abs(across) > Math.abs(event.deltaY))) {
      event.preventDefault();
      this.panBy(across);
    }
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button === 0) {
      const { x, y } = this.placeOf(event);
      this.view.setPointerCapture(event.pointerId);
      this.gesture.press(event.pointerId, x, y);
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.hover(event);
    this.gesture.move(event.pointerId, this.placeOf(event).x);
    this.view.classList.toggle("dragged", this.gesture.pointers.size > 0 && this.gesture.moved);
  }

  /** @param {PointerEvent} event */
  lift(event) {
    this.gesture.end(event.pointerId, event.type === "pointercancel");
    this.view.classList.remove("dragged");
  }

  /** @param {PointerEvent} event */
  hover(event) {
    if (event.pointerType === "mouse" && event.buttons === 0) {
      const place = this.placeOf(event);
      this.setHovered(this.barAt(place), place);
    }
  }

  /** @param {EntryBar | undefined} bar @param {{x: number, y: number}} place */
  setHovered(bar, place) {
    if (bar !== this.hovered) {
      this.hovered = bar;
      this.listeners.onHover(bar, place);
      this.request();
    }
  }

  /** @param {EntryBar | undefined} bar @param {{x: number, y: number}} [place] */
  select(bar, place) {
    this.selected = bar;
    this.listeners.onSelect(bar, place ?? (bar ? this.reveal(bar) : { x: 0, y: 0 }));
    this.request();
  }

  /** Brings a bar into view and returns its place. @param {EntryBar} bar */
  reveal(bar) {
    const row = this.layout.rows.find(({ lanes }) => lanes.some(({ bars }) => bars.includes(bar)));
    const lane = row?.lanes.findIndex(({ bars }) => bars.includes(bar)) ?? 0;
    const top = row ? laneTop(row, lane) : 0;
    const { scrollTop } = this.rows;
    if (top < scrollTop || top > scrollTop + this.height - 40) {
      this.rows.scrollTop = Math.max(0, top - this.height / 2);
    }
    const span = this.range.to - this.range.from;
    const outside = bar.from < this.range.from || bar.from > this.range.to - span * 0.1;
    if (outside) {
      this.setRange({ from: bar.from - span * 0.3, to: bar.from + span * 0.7 });
    }
    const x = this.names + ((bar.from - this.range.from) / span) * this.inner;
    return { x, y: top - this.rows.scrollTop + 10 };
  }
}
