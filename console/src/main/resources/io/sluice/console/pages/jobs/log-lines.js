// SPDX-License-Identifier: Apache-2.0
// Splits a stream of text into lines, with bounds on their number and length.

/** Lines that are kept; older ones are dropped. */
export const LINES_MAX = 20_000;
/** Characters of a line that are shown. */
export const LENGTH_MAX = 4000;

const WORKER = /^\[([^\]\s]{1,100})\] /;

/** @typedef {{number: number, worker: string, text: string}} Line */

export class LogLines {
  constructor() {
    /** @type {Line[]} */
    this.lines = [];
    this.dropped = 0;
    this.rest = "";
    this.restLength = 0;
    /** @type {Set<string>} */
    this.workers = new Set();
  }

  /** @param {string} text */
  add(text) {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.extend(text.slice(from, end));
      this.finish();
      from = end + 1;
    }
    this.extend(text.slice(from));
    if (this.lines.length > LINES_MAX) {
      const surplus = this.lines.length - LINES_MAX;
      this.lines.splice(0, surplus);
      this.dropped += surplus;
    }
  }

  /** @param {string} text */
  extend(text) {
    this.restLength += text.length;
    if (this.rest.length < LENGTH_MAX + 200) {
      this.rest += text.slice(0, LENGTH_MAX + 200 - this.rest.length);
    }
  }

  /** Ends the last line, as the stream does. */
  finish() {
    if (this.restLength === 0 && this.rest === "") {
      this.push("");
      return;
    }
    const longer = this.restLength - LENGTH_MAX;
    this.push(longer > 0 ? this.rest.slice(0, LENGTH_MAX) + ` … (${longer} more characters)` : this.rest);
    this.rest = "";
    this.restLength = 0;
  }

  end() {
    if (this.restLength > 0) {
      this.finish();
    }
  }

  /** @param {string} line */
  push(line) {
    const match = WORKER.exec(line);
    const worker = match ? match[1] : "";
    if (worker) {
      this.workers.add(worker);
    }
    this.lines.push({
      number: this.dropped + this.lines.length + 1,
      worker,
      text: match ? line.slice(match[0].length) : line,
    });
  }

  /**
   * Returns the lines of a worker that contain a text, whatever its case.
   * @param {string} worker empty: all
   * @param {string} wanted
   */
  find(worker, wanted) {
    const lower = wanted.toLowerCase();
    return this.lines.filter(
      (line) =>
        (worker === "" || line.worker === worker) &&
        (lower === "" || line.text.toLowerCase().includes(lower)),
    );
  }
}
