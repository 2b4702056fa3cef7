// SPDX-License-Identifier: Apache-2.0
// The time axis of the timeline: the range in view, zooming, and ticks in the reader's time zone.

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The shortest and the longest range that can be shown. */
export const SPAN_MIN = HOUR;
export const SPAN_MAX = 31 * DAY;

/** The range of a view that follows now, and the share of it that is past. */
export const SPAN_DEFAULT = 2 * HOUR;
const PAST_SHARE = 0.6;

/** @typedef {{from: number, to: number}} Range in milliseconds; `from` is included, `to` is not */

/** Distances of ticks, in milliseconds. */
const STEPS = [
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
];

/** Returns a span within the permitted ones. @param {number} span */
export function clampSpan(span) {
  return Math.min(SPAN_MAX, Math.max(SPAN_MIN, span));
}

/** Returns the range of a span that shows now. @param {number} now @param {number} span */
export function around(now, span) {
  const from = now - span * PAST_SHARE;
  return { from, to: from + span };
}

/**
 * Returns a range with another span, in which one time keeps its place.
 * @param {Range} range
 * @param {number} factor above 1 zooms out
 * @param {number} at
 * @returns {Range}
 */
export function zoom(range, factor, at) {
  const old = range.to - range.from;
  const span = clampSpan(old * factor);
  const from = at - ((at - range.from) * span) / old;
  return { from, to: from + span };
}

/**
 * Returns a range that is moved.
 * @param {Range} range
 * @param {number} by in milliseconds
 * @returns {Range}
 */
export function pan({ from, to }, by) {
  return { from: from + by, to: to + by };
}

/**
 * Returns a duration such as `6h`, `90m` or `2d` in milliseconds; undefined if it is none.
 * @param {string | null | undefined} text
 */
export function spanOf(text) {
  const match = /^(\d{1,5})([mhd])$/.exec(text ?? "");
  return match ? Number(match[1]) * { m: MINUTE, h: HOUR, d: DAY }[/** @type {"m"} */ (match[2])] : undefined;
}

/**
 * Returns a duration as the address has it, rounded to minutes.
 * @param {number} span
 */
export function spanText(span) {
  if (span % DAY === 0) {
    return span / DAY + "d";
  }
  return span % HOUR === 0 ? span / HOUR + "h" : Math.round(span / MINUTE) + "m";
}

/**
 * Returns the range that an address asks for: `from` and `to`, or `span` around `at`, or undefined
 * if the view follows now. Values that are no times count as absent.
 * @param {URLSearchParams} query
 * @returns {{range?: Range, span: number}}
 */
export function rangeOf(query) {
  const from = Date.parse(query.get("from") ?? "");
  const to = Date.parse(query.get("to") ?? "");
  if (to > from) {
    const span = clampSpan(to - from);
    return { range: { from, to: from + span }, span };
  }
  const span = clampSpan(spanOf(query.get("span")) ?? SPAN_DEFAULT);
  const at = Date.parse(query.get("at") ?? "");
  return Number.isNaN(at) ? { span } : { range: { from: at - span / 2, to: at + span / 2 }, span };
}

/**
 * Returns the smallest step whose ticks are at least `gap` pixels apart.
 * @param {number} span
 * @param {number} width
 * @param {number} gap
 */
function stepOf(span, width, gap) {
  return STEPS.find((step) => (step / span) * width >= gap) ?? STEPS[STEPS.length - 1];
}

/**
 * @typedef {object} Tick
 * @property {number} time
 * @property {string} label
 * @property {boolean} major whether a day begins
 */

/**
 * Returns the ticks of a range at round times of day in the local time zone. Where a clock is put
 * forward or back, the ticks stay at round times.
 * @param {Range} range
 * @param {number} width in pixels
 * @param {number} [gap] the least distance in pixels
 * @returns {Tick[]}
 */
export function ticks({ from, to }, width, gap = 80) {
  const step = stepOf(to - from, width, gap);
  const first = new Date(from);
  const [year, month, day] = [first.getFullYear(), first.getMonth(), first.getDate()];
  /** @type {Tick[]} */
  const found = [];
  /** @param {Date} date */
  const add = (date) => {
    const time = date.getTime();
    const last = found.length === 0 ? -Infinity : found[found.length - 1].time;
    if (time >= from && time < to && time > last) {
      found.push({ time, label: labelOf(date), major: date.getHours() + date.getMinutes() === 0 });
    }
    return time < to;
  };
  const days = step / DAY;
  if (days >= 1) {
    for (let offset = 0; add(new Date(year, month, day + offset)); ) {
      do {
        offset++;
      } while (dayNumber(year, month, day + offset) % days !== 0);
    }
  } else {
    for (let minute = 0; add(new Date(year, month, day, 0, minute)); ) {
      minute += step / MINUTE;
    }
  }
  return found;
}

/** @param {number} year @param {number} month @param {number} day */
function dayNumber(year, month, day) {
  return Date.UTC(year, month, day) / DAY;
}

const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DATE = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** @param {Date} date */
function labelOf(date) {
  return (date.getHours() + date.getMinutes() === 0 ? DATE : TIME).format(date);
}
