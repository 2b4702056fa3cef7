// SPDX-License-Identifier: Apache-2.0
// All jobs, newest first: filters, groups with counts, saved views, actions on many.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get } from "../../shared/api.js";
import { blockerText } from "../../shared/blockers.js";
import { subscribe } from "../../shared/events.js";
import { SELDOM, useLive } from "../../shared/live.js";
import { Refresher } from "../../shared/refresher.js";
import { address, navigate, setQuery } from "../../shared/router.js";
import { signedInAs } from "../../shared/session.js";
import { counted, number, visible, words } from "../../shared/text.js";
import { VirtualTable } from "../../shared/virtual-table.js";
import { Choice, Empty, Failure, State, TextFilter, When } from "../../shared/widgets.js";
import { BULK_MAX, BulkActions } from "./bulk-actions.js";
import { GROUPS, GROUP_NAMES, byOf, chosenOf, countsQuery, groupingOf } from "./grouping.js";
import { COUNTS_MILLIS, Groups } from "./job-groups.js";
import { FIELDS, JobList, PART } from "./job-list.js";
import { SavedViews } from "./saved-views.js";

/** Parameters of GET /v1/jobs that the page takes from its own address, with their names. */
const FILTERS = {
  name: "Name",
  namespace: "Namespace",
  queue: "Queue",
  clusterQueue: "ClusterQueue",
  priorityClass: "Priority class",
  computeClass: "Compute class",
  team: "Team",
  label: "Label, as key=value",
};

/** New rows come this long after the first of them, so that many come together. */
const NEWER_MILLIS = 1000;

const STATES = ["PENDING", "ADMITTED", "RUNNING", "DRAINING", "SUCCEEDED", "FAILED", "CANCELLED"];
/**
 * @typedef {Record<string, string | string[]> & {state: string[], blocker: string}} Filters
 *
 * @returns {Filters} those of the address, empty ones included
 */
function filters() {
  const { query } = address.value;
  /** @type {Filters} */
  const chosen = { state: query.getAll("state"), blocker: query.get("blocker") ?? "" };
  for (const name of [...Object.keys(FILTERS), "held"]) {
    chosen[name] = query.get(name) ?? "";
  }
  return chosen;
}

export default function Jobs() {
  const chosen = filters();
  const key = JSON.stringify(chosen);
  const grouping = groupingOf(address.value.query.get("by") ?? "");
  const { state, ...others } = chosen;
  const counts = useLive(
    async (signal) =>
      chosenOf((await get("/v1/jobs/counts", countsQuery(others, "state"), signal)).items, chosen.blocker),
    [JSON.stringify(others)],
    { pause: COUNTS_MILLIS },
  );
  /** @type {Record<string, number>} */
  const byState = {};
  for (const item of counts.data ?? []) {
    byState[item.state] = item.count;
  }
  const total = Object.entries(byState)
    .filter(([one]) => state.length === 0 || state.includes(one))
    .reduce((sum, [, count]) => sum + count, 0);
  return html`<h1>Jobs</h1>
    <${SavedViews} page="/jobs" />
    <div class="filters" role="search" aria-label="Filter jobs">
      ${Object.entries(FILTERS).map(
        ([name, label]) =>
          html`<${TextFilter}
            key=${name}
            label=${label}
            value=${chosen[name]}
            onValue=${(/** @type {string} */ value) => setQuery({ [name]: value })}
          />`,
      )}
      ${chosen.blocker &&
      html`<${Choice}
        label="Blocker"
        value=${chosen.blocker}
        choices=${[["", "any"], [chosen.blocker, blockerText(chosen.blocker)]]}
        onValue=${(/** @type {string} */ blocker) => setQuery({ blocker })}
      />`}
      <${Choice}
        label="Held"
        value=${chosen.held}
        choices=${[["", "any"], ["true", "held"], ["false", "not held"]]}
        onValue=${(/** @type {string} */ held) => setQuery({ held })}
      />
      <${Choice}
        label="Group by"
        value=${grouping?.field ?? ""}
        choices=${[["", "nothing"], ...GROUPS.map((name) => [name, GROUP_NAMES[name] ?? name])]}
        onValue=${(/** @type {string} */ field) => setQuery({ by: byOf(field) })}
      />
      ${grouping?.field === "label" &&
      html`<${TextFilter}
        label="Key of the label"
        value=${grouping.key}
        onValue=${(/** @type {string} */ key) => setQuery({ by: byOf("label", key) })}
      />`}
      ${Object.values(chosen).some((value) => value.length > 0) &&
      html`<button type="button" onClick=${() => navigate("/jobs")}>Clear</button>`}
    </div>
    <${States} on=${state} byState=${counts.data && byState} />
    <${Failure} failure=${counts.failure} retry=${counts.reload} />
    ${grouping?.by && html`<${Groups} grouping=${grouping} chosen=${chosen} />`}
    <${Rows} key=${key + signedInAs.value} chosen=${chosen} total=${total} />`;
}

/**
 * Counts by state, each a switch of the filter.
 * @param {{on: string[], byState: Record<string, number> | undefined}} properties
 */
function States({ on, byState }) {
  /** @param {string} one */
  const toggle = (one) =>
    setQuery({ state: on.includes(one) ? on.filter((other) => other !== one) : [...on, one] });
  return html`<div class="chips" role="group" aria-label="Filter by state">
    ${STATES.map(
      (one) =>
        html`<button type="button" aria-pressed=${on.includes(one)} onClick=${() => toggle(one)}>
          <${State} state=${one} /> ${byState ? number(byState[one] ?? 0) : ""}
        </button>`,
    )}
  </div>`;
}

/** @param {{chosen: Filters, total: number}} properties */
function Rows({ chosen, total }) {
  const [, redraw] = useState(0);
  const [generation, setGeneration] = useState(0);
  const [selected, setSelected] = useState(/** @type {Map<string, Job>} */ (new Map()));
  const range = useRef(/** @type {[first: number, last: number]} */ ([0, PART]));
  const pointed = useRef(false);
  const list = useMemo(
    () =>
      new JobList(
        (cursor) => get("/v1/jobs", { ...chosen, limit: PART, cursor, fields: FIELDS.map((field) => "items." + field).join() + ",nextCursor" }),
        () => redraw((count) => count + 1),
      ),
    [generation],
  );
  useEffect(() => {
    list.reach(0);
    const refresher = new Refresher(() => list.refresh(...range.current), SELDOM);
    const unsubscribe = subscribe((events) => {
      // A job that is no row yet may meet the filters now.
      if (events === undefined || events.some(({ job }) => job)) {
        refresher.request();
      }
    });
    return () => {
      unsubscribe();
      refresher.close();
      list.close();
    };
  }, [list]);
  // New rows come by themselves only while nobody points at a row, or is further down.
  const calm = !pointed.current && range.current[0] === 0 && selected.size === 0;
  useEffect(() => {
    if (list.newer === 0 || !calm) {
      return;
    }
    const timer = setTimeout(() => setGeneration((count) => count + 1), NEWER_MILLIS);
    return () => clearTimeout(timer);
  }, [list.newer > 0 && calm]);

  /** @param {Job} job */
  const toggle = (job) => {
    const next = new Map(selected);
    if (!next.delete(job.id)) {
      next.set(job.id, job);
    }
    setSelected(next);
  };
  const count = list.complete
    ? list.rows.length
    : Math.max(total, list.rows.length);
  const selectFirst = async () => {
    await list.reach(Math.min(count, BULK_MAX) - 1);
    setSelected(new Map(list.rows.slice(0, BULK_MAX).map((job) => [job.id, job])));
  };
  return html`<${BulkActions}
      selected=${selected}
      clear=${() => setSelected(new Map())}
      selectFirst=${selectFirst}
      count=${count}
    />
    ${list.newer > 0 &&
    !calm &&
    html`<p><button type="button" onClick=${() => setGeneration(generation + 1)}>
      Show ${counted(list.newer, "newer job")}
    </button></p>`}
    <${Failure} failure=${list.failure} retry=${() => { list.retry(); list.reach(range.current[1]); }} />
    ${count === 0 && list.complete
      ? html`<${Empty}>No job meets the filters.<//>`
      : html`<div
          onPointerEnter=${() => (pointed.current = true)}
          onPointerLeave=${() => { pointed.current = false; redraw((times) => times + 1); }}
        >
          <${VirtualTable}
            label="Jobs"
            kind="jobs"
            head=${[html`<span class="unseen">Selected</span>`, "Name", "Namespace", "Queue", "State", "Priority", "Created", "Reason"]}
            count=${count}
            row=${(/** @type {number} */ index) => cells(list, index, selected, toggle)}
            rowClass=${(/** @type {number} */ index) =>
              list.gone.has(list.rows[index]?.id) ? "gone" : ""}
            onRange=${(/** @type {number} */ first, /** @type {number} */ last) => {
              range.current = [first, last];
              list.reach(last);
            }}
          />
        </div>`}`;
}

/**
 * @param {JobList} list
 * @param {number} index
 * @param {Map<string, Job>} selected
 * @param {(job: Job) => void} toggle
 */
function cells(list, index, selected, toggle) {
  const job = list.rows[index];
  if (!job) {
    return undefined;
  }
  const { metadata, spec, status } = job;
  const reason = status.reason ?? "";
  return [
    html`<input
      type="checkbox"
      aria-label=${"Select " + visible(metadata.name)}
      checked=${selected.has(job.id)}
      onChange=${() => toggle(job)}
    />`,
    html`<a href=${"/jobs/" + job.id}>${visible(metadata.name)}</a>`,
    visible(metadata.namespace),
    visible(spec.queue),
    html`<${State} state=${status.state} />${status.hold ? " held" : ""}`,
    html`${status.priority}${spec.priorityClass ? html` <span class="faint">${visible(spec.priorityClass)}</span>` : ""}`,
    html`<${When} at=${status.createdAt} />`,
    html`<span title=${visible(reason)}>${status.blocker ? html`<span class="faint">${words(status.blocker)}: </span>` : ""}${visible(reason)}</span>`,
  ];
}
