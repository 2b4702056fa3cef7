// SPDX-License-Identifier: Apache-2.0
// The past, present and planned use of slices and quota over time.

import { useMemo, useRef, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { useLive } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { counted, number, serverNow, visible } from "../../shared/text.js";
import { Choice, Empty, Failure, TextFilter } from "../../shared/widgets.js";
import { endedEntries, groupsOf, pastEntries, plannedEntries, runEntries } from "./bars.js";
import { ALLOCATIONS_MAX, ENDED_MAX, readAllocations, readEnded, readPlan, readRuns } from "./data.js";
import { LANES_MAX, layoutOf } from "./layout.js";
import { HUES } from "./palette.js";
import { Legend } from "./panel.js";
import { HOUR, around, rangeOf } from "./scale.js";
import { Chart, TableInView } from "./view.js";

/** @typedef {import("./scale.js").Range} Range */

/** Waits between two reads, in milliseconds: history is long, and changes only where it meets now. */
const PLAN_PAUSE = 2_000;
const HISTORY_PAUSE = 15_000;
const RUNS_PAUSE = 30_000;

/**
 * Keeps the last answer while another period is read.
 * @template T
 * @param {import("../../shared/live.js").Live<T>} live
 */
function useLast({ data }) {
  const last = useRef(/** @type {T | undefined} */ (undefined));
  last.current = data ?? last.current;
  return last.current;
}

/** Returns the period to read for a range: whole spans, so that small moves read nothing. @param {Range} range */
function periodOf({ from, to }) {
  const span = to - from;
  const unit = Math.max(HOUR, 2 ** Math.ceil(Math.log2(span / HOUR)) * HOUR);
  return { from: Math.floor(from / unit) * unit, to: Math.ceil(to / unit) * unit };
}

export default function Timeline() {
  const { query } = address.value;
  const first = useRef(rangeOf(query));
  const [range, setRange] = useState(first.current.range ?? around(serverNow(), first.current.span));
  const period = periodOf(range);
  // The plan has running attempts, so history changes when one ends.
  const changes = {
    pause: HISTORY_PAUSE,
    when: (/** @type {WatchEvent} */ { object }) => object.state === "ENDED" && period.to > serverNow(),
  };
  const held = useLive(
    (signal) => readAllocations(period.from, period.to, signal),
    [period.from, period.to],
    changes,
  );
  const ended = useLive(
    (signal) => readEnded(period.from, period.to, signal),
    [period.from, period.to],
    changes,
  );
  const plan = useLive(readPlan, [], { pause: PLAN_PAUSE });
  const runs = useLive((signal) => readRuns(period.to - serverNow(), signal), [period.to], {
    when: () => false,
    every: RUNS_PAUSE,
  });
  const [past, gone, planned, upcoming] = [useLast(held), useLast(ended), useLast(plan), useLast(runs)];
  const byState = query.get("colour") === "state";
  const filter = {
    queue: query.get("queue") ?? "",
    type: query.get("type") ?? "",
    text: query.get("text") ?? "",
  };
  const entries = useMemo(() => {
    const now = serverNow();
    return [
      ...(past ? pastEntries(past.items, planned?.plan ?? [], now) : []),
      ...endedEntries(gone?.items ?? [], planned?.plan ?? []),
      ...plannedEntries(planned?.plan ?? [], now),
      ...runEntries(upcoming?.items ?? []),
    ];
  }, [past, gone, planned, upcoming]);
  const hues = useMemo(() => {
    const queues = new Set(entries.filter(({ kind }) => kind !== "outage" && kind !== "run").map(({ clusterQueue }) => clusterQueue ?? ""));
    return new Map([...queues].sort().map((queue, i) => [queue, i % HUES]));
  }, [entries]);
  const slices = planned?.slices ?? [];
  const groups = useMemo(
    () =>
      groupsOf(entries, slices, filter, (entry) =>
        byState || entry.kind === "outage" || entry.kind === "run"
          ? entry.kind
          : entry.kind + " " + hues.get(entry.clusterQueue ?? ""),
      ),
    [entries, slices, byState, filter.queue, filter.type, filter.text],
  );
  const closed = query.getAll("closed");
  const layout = useMemo(() => layoutOf(groups, new Set(closed)), [groups, closed.join("|")]);
  const types = [...new Set([...slices.map(({ type }) => type), ...entries.flatMap(({ amounts }) => amounts.map(({ flavor }) => flavor))])].sort();
  const notes = [
    past && !past.complete && `Only the newest ${number(ALLOCATIONS_MAX)} allocations of the period are shown.`,
    gone && !gone.complete && `Only the last ${number(ENDED_MAX)} attempts without slices that ended since the period began are shown.`,
    planned && !planned.complete && `The plan is cut after ${counted(planned.plan.length, "entry", "entries")}.`,
    upcoming && !upcoming.complete && "Runs to come are not known for the whole period.",
  ].filter(Boolean);
  return html`<h1>Timeline</h1>
    <div class="filters" role="search" aria-label="Filter entries">
      <${TextFilter} label="Name or namespace" value=${filter.text} onValue=${(/** @type {string} */ text) => setQuery({ text })} />
      <${Choice}
        label="ClusterQueue"
        value=${filter.queue}
        choices=${[["", "all"], ...[...new Set([filter.queue, ...hues.keys()])].filter((one) => one).map((one) => [one, visible(one)])]}
        onValue=${(/** @type {string} */ queue) => setQuery({ queue })}
      />
      <${Choice}
        label="Type or flavor"
        value=${filter.type}
        choices=${[["", "all"], ...[...new Set([filter.type, ...types])].filter((one) => one).map((one) => [one, visible(one)])]}
        onValue=${(/** @type {string} */ type) => setQuery({ type })}
      />
      <${Choice}
        label="Colour by"
        value=${byState ? "state" : ""}
        choices=${[["", "ClusterQueue"], ["state", "state"]]}
        onValue=${(/** @type {string} */ colour) => setQuery({ colour })}
      />
    </div>
    ${[held, ended, plan, runs].map(({ failure, reload }) => html`<${Failure} failure=${failure} retry=${reload} />`)}
    ${(planned === undefined && !plan.failure) || (past === undefined && !held.failure) ? html`<p class="loading" role="status">Loading</p>` : null}
    <${Chart} layout=${layout} first=${first.current} range=${range} setRange=${setRange} closed=${closed} />
    ${planned && layout.rows.length === 0 && html`<${Empty}>Nothing meets the filters.<//>`}
    ${notes.map((note) => html`<p class="faint">${note}</p>`)}
    <${Legend} hues=${hues} byState=${byState} />
    <p class="faint">
      Beyond ${LANES_MAX} at a time, entries of a row overlap.
    </p>
    <${TableInView} layout=${layout} range=${range} />`;
}
