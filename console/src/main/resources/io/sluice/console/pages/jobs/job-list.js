// SPDX-License-Identifier: Apache-2.0
// The rows of a long list of jobs, read in parts as they come into view.

/** Jobs of one request. */
export const PART = 200;

/** What rows show; the whole manifest of each job would be ten times as much. */
export const FIELDS = [
  "id",
  "metadata.name",
  "metadata.namespace",
  "spec.queue",
  "spec.priorityClass",
  "spec.computeClass",
  "status.state",
  "status.blocker",
  "status.reason",
  "status.clusterQueue",
  "status.priority",
  "status.hold",
  "status.createdAt",
  "status.finishedAt",
];

/**
 * @typedef {{items: Job[], nextCursor?: string}} Page
 * @typedef {(cursor: string | undefined) => Promise<Page>} Read
 */

/**
 * Jobs in the order of the first answer. Rows keep their place: what changes is read again in
 * place, a job that no longer meets the filters stays as `gone`, and newer jobs are counted, and come
 * with the next list only.
 */
export class JobList {
  /**
   * @param {Read} read
   * @param {() => void} changed
   */
  constructor(read, changed) {
    this.read = read;
    this.changed = changed;
    /** @type {Job[]} */
    this.rows = [];
    /** Ids of rows that no longer meet the filters. @type {Set<string>} */
    this.gone = new Set();
    /** Jobs of the first part's last answer that are no rows; at most that part's size. */
    this.newer = 0;
    /** The cursor of each part that was read; the first has none. @type {(string | undefined)[]} */
    this.cursors = [];
    /** The first row of each part; the server may answer with fewer than it was asked for. @type {number[]} */
    this.starts = [];
    /** @type {string | undefined} */
    this.next = undefined;
    this.complete = false;
    this.closed = false;
    /** @type {Error | undefined} */
    this.failure = undefined;
    /** @type {Promise<void> | undefined} */
    this.reading = undefined;
    /** @type {Map<string, number>} */
    this.places = new Map();
  }

  /**
   * Reads on until a row is there, or the list ends.
   * @param {number} index
   */
  async reach(index) {
    while (!this.complete && !this.failure && !this.closed && index >= this.rows.length) {
      this.reading ??= this.readPart();
      await this.reading;
    }
  }

  async readPart() {
    try {
      const page = await this.read(this.next);
      this.cursors.push(this.next);
      this.starts.push(this.rows.length);
      for (const job of page.items) {
        if (!this.places.has(job.id)) {
          this.places.set(job.id, this.rows.length);
          this.rows.push(job);
        }
      }
      this.next = page.nextCursor;
      this.complete = !page.nextCursor;
      this.failure = undefined;
    } catch (failure) {
      this.failure = /** @type {Error} */ (failure);
    } finally {
      this.reading = undefined;
      this.changed();
    }
  }

  /** Reads no further part: the list is no longer shown. */
  close() {
    this.closed = true;
  }

  /** Tries again after a failure. */
  retry() {
    this.failure = undefined;
    this.changed();
  }

  /**
   * Reads the parts of some rows again, and the first part, where newer jobs are. Reads on if that has
   * failed.
   * @param {number} first
   * @param {number} last
   */
  async refresh(first, last) {
    if (this.failure) {
      this.failure = undefined;
      await this.reach(last);
    }
    for (let part = 0; part < this.cursors.length; part++) {
      const start = this.starts[part];
      const end = this.starts[part + 1] ?? this.rows.length;
      if (part > 0 && (end <= first || start > last)) {
        continue;
      }
      const page = await this.read(this.cursors[part]);
      if (part === 0) {
        this.newer = this.newerOf(page.items);
      }
      const seen = new Set(page.items.map(({ id }) => id));
      for (const job of page.items) {
        const place = this.places.get(job.id);
        if (place !== undefined) {
          this.rows[place] = job;
          this.gone.delete(job.id);
        }
      }
      this.markGone(part, page, seen);
    }
    this.changed();
  }

  /**
   * Counts the jobs that are no rows. After the last row there may be jobs of the second part: a part
   * that lost rows is filled up.
   * @param {Job[]} first the first part
   */
  newerOf(first) {
    const isRow = first.map(({ id }) => this.places.has(id));
    const lastRow = isRow.lastIndexOf(true);
    const end = this.complete || lastRow < 0 ? first.length : lastRow;
    return isRow.slice(0, end).filter((is) => !is).length;
  }

  /**
   * A row is gone if it is missing between the first and the last row of its part's new answer, by
   * time of creation: a part that lost rows is filled up with rows of the next one.
   * @param {number} part
   * @param {Page} page
   * @param {Set<string>} seen
   */
  markGone(part, page, seen) {
    const oldest = page.items.at(-1)?.status.createdAt;
    for (const job of this.rows.slice(this.starts[part], this.starts[part + 1])) {
      const within = !page.nextCursor || (oldest !== undefined && job.status.createdAt > oldest);
      if (!seen.has(job.id) && within) {
        this.gone.add(job.id);
      }
    }
  }
}
