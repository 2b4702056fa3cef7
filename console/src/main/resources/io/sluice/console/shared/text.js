// SPDX-License-Identifier: Apache-2.0
// Texts for people: times, durations, quantities, and names that come from users.

/** Characters that draw nothing, or that reorder the text around them. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Returns a text in which control characters and marks of direction are written out, as `\u202e`,
 * so that a name cannot pretend to be another one. Tabulators and line ends stay.
 * @param {unknown} value
 */
export function visible(value) {
  return String(value ?? "").replace(
    INVISIBLE,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** Milliseconds by which the clock of the server is ahead of this machine's. */
let ahead = 0;

/** @type {(milliseconds: number) => void} */
let onDifference = () => {};

/**
 * Names a listener that is told when the clocks begin or cease to differ.
 * @param {(milliseconds: number) => void} listener
 */
export function whenClocksDiffer(listener) {
  onDifference = listener;
}

/**
 * Learns the server's time from the header `Date` of an answer, which is exact to a second.
 * @param {string | null} date
 */
export function learnTime(date) {
  const server = date ? Date.parse(date) : NaN;
  if (!Number.isNaN(server)) {
    const difference = server + 500 - Date.now();
    const before = ahead;
    ahead = Math.abs(difference) < 2000 ? 0 : difference;
    if (Math.abs(ahead - before) > 2000) {
      onDifference(ahead);
    }
  }
}

/** Returns the server's time in milliseconds. */
export function serverNow() {
  return Date.now() + ahead;
}

/** @type {[number, string][]} */
const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "m"],
  [1, "s"],
];

/**
 * Returns a duration with its two largest units, as `2h 5m`.
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  let seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(seconds / size);
    if (count > 0) {
      parts.push(count + unit);
      seconds -= count * size;
    } else if (parts.length > 0) {
      break;
    }
    if (parts.length === 2) {
      break;
    }
  }
  return parts.join(" ") || "0s";
}

/**
 * Returns a time as its distance from now: `5m ago`, `in 2h`.
 * @param {string | undefined | null} time in ISO 8601
 * @param {number} [now]
 */
export function distance(time, now = serverNow()) {
  if (!time) {
    return "";
  }
  const milliseconds = Date.parse(time) - now;
  if (Math.abs(milliseconds) < 1000) {
    return "now";
  }
  return milliseconds > 0 ? "in " + duration(milliseconds) : duration(-milliseconds) + " ago";
}

const FULL = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "medium",
});
const SHORT = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/**
 * Returns a time in the place of the reader.
 * @param {string | number | undefined | null} time
 */
export function moment(time) {
  return time === undefined || time === null ? "" : FULL.format(new Date(time));
}

/**
 * Returns a time as hours and minutes, with the day if it is another one.
 * @param {string | number} time
 */
export function shortTime(time) {
  const date = new Date(time);
  return date.toDateString() === new Date(serverNow()).toDateString()
    ? SHORT.format(date)
    : DAY.format(date);
}

const NUMBER = new Intl.NumberFormat("en");

/**
 * Returns a number with separators of thousands.
 * @param {number} value
 */
export function number(value) {
  return NUMBER.format(value);
}

/** @type {Record<string, number>} */
const SUFFIXES = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Returns the value of a Kubernetes quantity, as of `500m` or `16Gi`; NaN if it is none.
 * @param {string | number | undefined | null} text
 */
export function quantity(text) {
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(String(text ?? ""));
  if (!match) {
    return NaN;
  }
  const factor = match[2] === "" ? 1 : SUFFIXES[match[2]];
  return factor === undefined ? NaN : Number(match[1]) * factor;
}

/**
 * Returns a count with its noun: `1 job`, `2 jobs`.
 * @param {number} count
 * @param {string} noun
 * @param {string} [plural]
 */
export function counted(count, noun, plural = noun + "s") {
  return number(count) + " " + (count === 1 ? noun : plural);
}

/**
 * Returns a constant's name as words: `QUOTA_IN_USE` is `quota in use`.
 * @param {string | undefined} constant
 */
export function words(constant) {
  return (constant ?? "").toLowerCase().replaceAll("_", " ");
}
