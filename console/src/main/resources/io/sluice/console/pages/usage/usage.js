// SPDX-License-Identifier: Apache-2.0
// Chip-hours by team, user, queue or class over days, by outcome, and the use of the fleet.

import { useMemo } from "preact/hooks";
import { html } from "../../shared/html.js";
import { useLive } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { counted, moment, number, serverNow, visible, words } from "../../shared/text.js";
import { Choice, Empty, Loaded, Table } from "../../shared/widgets.js";
import { ALLOCATIONS_MAX } from "../timeline/data.js";
import { COLOURS, DAY, UsageChart } from "./chart.js";
import { csv } from "./csv.js";
import { GROUPS, readUsage, usesOf } from "./data.js";
import { dayText, daysOf, largest, periodOf, sharesOf, sumsOf, total } from "./sums.js";

/** @typedef {import("./data.js").UsageData} UsageData */
/** @typedef {import("./sums.js").GroupSum} GroupSum */
/** @typedef {import("./sums.js").Period} Period */

const DAYS_DEFAULT = 7;
const PAUSE = 60_000;
/** Groups that the table shows; all of them are in the CSV. */
const GROUPS_MAX = 200;

/** Returns an amount with as many digits as a reader needs. @param {number} value */
function amount(value) {
  const digits = value >= 1000 ? 1 : value >= 1 ? 10 : 1000;
  return number(Math.round(value * digits) / digits);
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return whole > 0 ? Math.round((1000 * part) / whole) / 10 + " %" : "";
}

export default function Usage() {
  const { query } = address.value;
  const asked = query.get("by") ?? "team";
  const by = Object.hasOwn(GROUPS, asked) ? asked : "team";
  const [since, until] = [query.get("since"), query.get("until")];
  const usage = useLive(
    async (signal) => {
      const now = serverNow();
      const period = periodOf(since, until, now, DAYS_DEFAULT);
      return { period, data: await readUsage(period, now, signal) };
    },
    [since, until],
    { when: () => false, pause: PAUSE, every: PAUSE },
  );
  const shown = periodOf(since, until, serverNow(), DAYS_DEFAULT);
  return html`<h1>Usage</h1>
    <div class="filters" role="group" aria-label="Period and groups">
      <${DayField} label="From" value=${dayText(shown.from)} onValue=${(/** @type {string} */ day) => setQuery({ since: day })} />
      <${DayField} label="Until, included" value=${dayText(shown.to - 1)} onValue=${(/** @type {string} */ day) => setQuery({ until: day })} />
      ${[1, 7, 30].map(
        (days) =>
          html`<button type="button" onClick=${() => setQuery({ since: dayText(new Date().setDate(new Date().getDate() - days + 1)), until: undefined })}>
            ${days === 1 ? "Today" : days + " days"}
          </button>`,
      )}
      <${Choice}
        label="By"
        value=${by}
        choices=${Object.entries(GROUPS)}
        onValue=${(/** @type {string} */ value) => setQuery({ by: value })}
      />
    </div>
    <${Loaded} of=${usage}>${(/** @type {{period: Period, data: UsageData}} */ { period, data }) =>
      html`<${Sums} period=${period} data=${data} by=${by} />`}<//>`;
}

/** @param {{label: string, value: string, onValue: (value: string) => void}} properties */
function DayField({ label, value, onValue }) {
  return html`<label class="filter"
    >${label}
    <input
      type="date"
      value=${value}
      onChange=${(/** @type {Event} */ event) => onValue(/** @type {HTMLInputElement} */ (event.target).value)}
  /></label>`;
}

/** @param {{period: Period, data: UsageData, by: string}} properties */
function Sums({ period, data, by }) {
  const days = useMemo(() => daysOf(period), [period]);
  const uses = useMemo(() => usesOf(data, by), [data, by]);
  const sums = useMemo(() => sumsOf(uses, days), [uses, days]);
  if (sums.length === 0) {
    return html`<${Empty}>No slice was used in this period.<//>
      <${Shares} uses=${uses} data=${data} period=${period} />`;
  }
  const all = total(sums, "All");
  return html`${!data.complete &&
    html`<p class="failure" role="status">
      The period has more than ${number(ALLOCATIONS_MAX)} allocations. Only the newest ones are summed,
      so the sums of early days are too small.
    </p>`}
    <div class="panel">
      <${UsageChart} sums=${largest(sums, COLOURS, "others")} days=${days} />
    </div>
    <h2>Chip-hours by ${GROUPS[by]}</h2>
    <p><button type="button" onClick=${() => download(sums, days, by)}>Export as CSV</button></p>
    <${SumTable} sums=${sums} all=${all} days=${days} by=${by} />
    ${all.sliceHours > 0 &&
    html`<p class="faint">
      ${amount(all.sliceHours)} slice-hours are of slices whose chips are unknown, so they are not among
      the chip-hours.
    </p>`}
    <p class="faint">
      Read ${moment(data.at)}. Only slices count. Teams and priority classes are those of now.
    </p>
    <${Outcomes} data=${data} period=${period} />
    <${Shares} uses=${uses} data=${data} period=${period} />`;
}

/** @param {{sums: GroupSum[], all: GroupSum, days: Period[], by: string}} properties */
function SumTable({ sums, all, days, by }) {
  /** @param {GroupSum} sum @param {string} kind */
  const row = (sum, kind) =>
    html`<tr key=${kind + sum.group} class=${kind}>
      <th scope="row">${visible(sum.group)}</th>
      <td class="number">${amount(sum.chipHours)}</td>
      <td class="number">${percent(sum.chipHours, all.chipHours)}</td>
      <td class="number">${sum.preempted > 0 ? amount(sum.preempted) : "–"}</td>
      <td class="number">${number(sum.allocations)}</td>
      ${sum.byDay.map((value) => html`<td class="number">${value > 0 ? amount(value) : "–"}</td>`)}
    </tr>`;
  return html`<${Table}
      kind="usage-table"
      caption=${"Chip-hours by " + GROUPS[by] + " and day"}
      head=${[GROUPS[by], "Chip-hours", "Share", "Lost to preemption", "Allocations", ...days.map(({ from }) => DAY.format(from))]}
    >
      ${sums.slice(0, GROUPS_MAX).map((sum) => row(sum, "group"))}
      ${row(all, "usage-total")}
    <//>
    ${sums.length > GROUPS_MAX &&
    html`<p class="faint">The ${GROUPS_MAX} largest of ${number(sums.length)} groups. The CSV has all.</p>`}`;
}

/** @param {{uses: import("./sums.js").Use[], data: UsageData, period: Period}} properties */
function Shares({ uses, data, period }) {
  const { slices, standings, unknown } = data;
  const shares = useMemo(() => sharesOf(uses, slices, period, standings), [uses, data, period]);
  return html`<h2>Use of the fleet</h2>
    ${shares.length === 0
      ? html`<${Empty}>The fleet has no slices.<//>`
      : html`<${Table} kind="usage-table" caption="Chip-hours used and idle, by accelerator type" head=${["Type", "Chips", "Capacity, chip-hours", "Used", "Out of service", "Kept for a job", "Idle", "Share used"]}>
          ${shares.map(
            ({ type, chips, capacity, used, out, kept, idle }) =>
              html`<tr key=${type}>
                <th scope="row">${visible(type)}</th>
                <td class="number">${number(chips)}</td>
                <td class="number">${amount(capacity)}</td>
                <td class="number">${amount(used)}</td>
                <td class="number">${amount(out)}</td>
                <td class="number">${amount(kept)}</td>
                <td class="number">${amount(idle)}</td>
                <td>
                  <meter min="0" max="1" value=${capacity > 0 ? used / capacity : 0} aria-label=${"Share used of " + visible(type)}></meter>
                  ${" " + percent(used, capacity)}
                </td>
              </tr>`,
          )}
        <//>`}
    <p class="faint">
      Capacity is the chips of the present slices times the period, as if each had been there all the
      time. Out of service and kept for a job are known only of slices that are so now: since when, their
      history tells. What was so earlier, and slices that were cleared for a waiting job, count as idle.
      So do nodes that a cluster does not offer.${unknown > 0 ? " Of " + counted(unknown, "slice") + " out of service or kept, it is unknown since when; that time counts as idle." : ""}
    </p>`;
}

/** Chip-hours by outcome. @param {{data: UsageData, period: Period}} properties */
function Outcomes({ data, period }) {
  const sums = useMemo(() => sumsOf(usesOf(data, "outcome"), [period]), [data, period]);
  const all = total(sums, "All");
  return html`<h2>Outcomes</h2>
    <p>
      Lost to preemption: ${amount(all.preempted)} of ${amount(all.chipHours)} chip-hours, of attempts
      that ended by preemption. Work that a checkpoint saved is not deducted.
    </p>
    <${Table} kind="usage-table" caption="Chip-hours by the outcome of the attempt" head=${["Outcome", "Chip-hours", "Share", "Allocations"]}>
      ${sums.map(
        ({ group, chipHours, allocations }) =>
          html`<tr key=${group}>
            <th scope="row">${words(group)}</th>
            <td class="number">${amount(chipHours)}</td>
            <td class="number">${percent(chipHours, all.chipHours)}</td>
            <td class="number">${number(allocations)}</td>
          </tr>`,
      )}
    <//>`;
}

/**
 * Saves the sums as a file of this machine.
 * @param {GroupSum[]} sums
 * @param {Period[]} days
 * @param {string} by
 */
function download(sums, days, by) {
  const head = [GROUPS[by], "chip-hours", "lost to preemption", "slice-hours of unknown chips", "allocations", ...days.map(({ from }) => dayText(from))];
  /** @param {number} value */
  const rounded = (value) => Math.round(value * 1e6) / 1e6;
  const rows = sums.map(({ group, chipHours, preempted, sliceHours, allocations, byDay }) => [
    visible(group),
    rounded(chipHours),
    rounded(preempted),
    rounded(sliceHours),
    allocations,
    ...byDay.map(rounded),
  ]);
  const blob = new Blob([csv([head, ...rows])], { type: "text/csv;charset=utf-8" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = "usage-by-" + by + ".csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
