// SPDX-License-Identifier: Apache-2.0
// The schedules of a pipeline: when they fire, pause and resume, and the form of a backfill.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, pathOf, post } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { may, whyNot } from "../../shared/session.js";
import { counted, moment, number, visible } from "../../shared/text.js";
import { Action, Empty, Facts, Failure, Loaded, State, Table, When, ask, notify, perform } from "../../shared/widgets.js";
import { timeOf } from "./pipeline-parameters.js";

const UPCOMING = 5;
const BACKFILLS_MAX = 20;
/** Schedules and backfills change without an event of their own. */
const EVERY = 10_000;

/** @param {{pipeline: any}} properties */
export function Schedules({ pipeline }) {
  const { namespace, name } = pipeline.metadata;
  const schedules = pipeline.spec.schedules ?? [];
  return html`${schedules.length === 0
      ? html`<${Empty}>The pipeline has no schedule. Its runs are started by users.<//>`
      : schedules.map(
          (/** @type {any} */ one) =>
            html`<${Schedule} key=${one.name} namespace=${namespace} pipeline=${name} name=${one.name} />`,
        )}
    <h2>Backfills</h2>
    <${Backfills} namespace=${namespace} pipeline=${name} />`;
}

/** @param {{namespace: string, pipeline: string, name: string}} properties */
function Schedule({ namespace, pipeline, name }) {
  const path = pathOf`/v1/schedules/${namespace}/${pipeline}/${name}`;
  const schedule = useLive((signal) => get(path, { upcoming: UPCOMING }, signal), [path], {
    when: ({ run }) => run?.pipeline === pipeline && run.namespace === namespace,
    pause: 2000,
    every: EVERY,
  });
  const refused = !may("operate", namespace) && whyNot("operate", namespace);
  const backfillRefused = !may("submit", namespace) && whyNot("submit", namespace);
  /** @param {"pause" | "resume"} verb */
  const change = async (verb) => {
    await perform(() => post(path + "/" + verb), verb === "pause" ? "Paused" : "It fires again from now on");
    schedule.reload();
  };
  return html`<section class="panel schedule" aria-label=${"Schedule " + visible(name)}>
    <${Loaded} of=${schedule}>${(/** @type {any} */ data) => html`<h2>
        ${visible(name)} <code>${visible(data.cron)}</code>${" "}
        ${data.paused ? html`<span class="state waiting">paused</span>` : html`<span class="state good">on</span>`}
      </h2>
      <${Facts}
        facts=${[
          ["Next start", data.dueAt && html`<${When} at=${data.dueAt} />`],
          ["Time zone", visible(data.timeZone)],
          ["While a run is in progress", data.concurrencyPolicy],
          ["Missed fires", data.misfirePolicy],
          ["Missed, not made up for", data.missed > 0 && number(data.missed) + ", the last one " + moment(data.missedAt) + ": " + visible(data.missedReason)],
          ["Runs belong to", visible(data.savedBy)],
        ]}
      />
      ${(data.upcoming ?? []).length > 0 &&
      html`<details><summary>The next ${counted(data.upcoming.length, "start")}</summary>
        <ol>${data.upcoming.map((/** @type {string} */ at) => html`<li key=${at}>${moment(at)} (<${When} at=${at} />)</li>`)}</ol>
      </details>`}
      <p class="buttons">
        ${data.paused
          ? html`<${Action} refused=${refused} onClick=${() => change("resume")}>Resume<//>`
          : html`<${Action} refused=${refused} onClick=${() => change("pause")}>Pause<//>`}
      </p>
      <details><summary>Start runs for past times</summary><${BackfillForm} path=${path} refused=${backfillRefused} /></details>`}<//>
  </section>`;
}

/** @param {{path: string, refused: string | false}} properties */
function BackfillForm({ path, refused }) {
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [key, setKey] = useState(() => crypto.randomUUID());
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (refused) {
      return;
    }
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    try {
      const begun = await post(path + "/backfills", {
        headers: { "Idempotency-Key": key },
        body: {
          from: timeOf(String(form.get("from"))),
          to: timeOf(String(form.get("to"))),
          maxParallel: Number(form.get("maxParallel")),
        },
      });
      setFailure(undefined);
      notify("A backfill of " + counted(begun.times, "time") + " has begun");
    } catch (problem) {
      setFailure(/** @type {Error} */ (problem));
    }
    setKey(crypto.randomUUID());
  };
  return html`<form class="pipeline-form" onSubmit=${submit}>
    <p class="faint">
      One run for each time of the schedule in the period, in order. A time that has a run gets no
      other one. Times are those of your place.
    </p>
    <div class="filters">
      <label class="filter">From <input type="datetime-local" name="from" required /></label>
      <label class="filter">To, not included <input type="datetime-local" name="to" required /></label>
      <label class="filter">At a time <input type="number" name="maxParallel" min="1" max="1000" defaultValue="1" required /></label>
      <button disabled=${Boolean(refused)} title=${refused || undefined}>Begin the backfill</button>
    </div>
    ${refused && html`<p class="faint">${visible(refused)}</p>`}
    <${Failure} failure=${failure} />
  </form>`;
}

/** @param {{namespace: string, pipeline: string}} properties */
function Backfills({ namespace, pipeline }) {
  const backfills = useLive(
    (signal) => get("/v1/backfills", { namespace, pipeline, limit: BACKFILLS_MAX }, signal),
    [namespace, pipeline],
    { when: ({ run }) => run?.pipeline === pipeline && run.namespace === namespace, pause: 1000, every: EVERY },
  );
  const refused = !may("operate", namespace) && whyNot("operate", namespace);
  /** @param {any} one */
  const cancel = async (one) => {
    const sure = await ask({
      title: "Cancel the backfill of " + visible(one.schedule) + "?",
      text: "It starts no more runs, and its runs in progress are cancelled.",
      confirm: "Cancel the backfill",
      danger: true,
    });
    if (sure && (await perform(() => post(pathOf`/v1/backfills/${one.id}/cancel`), "Cancelled"))) {
      backfills.reload();
    }
  };
  return html`<${Loaded} of=${backfills}>${(/** @type {any} */ data) =>
    data.items.length === 0
      ? html`<${Empty}>There is no backfill.<//>`
      : html`<${Table}
            caption="Backfills, newest first"
            head=${["Schedule", "Period", "State", "Times begun", "Created", html`<span class="unseen">Actions</span>`]}
          >
            ${data.items.map(
              (/** @type {any} */ one) => html`<tr key=${one.id}>
                <td>${visible(one.schedule)}</td>
                <td>${moment(one.from)} to ${moment(one.to)}</td>
                <td><${State} state=${one.state} /> ${visible(one.reason)}</td>
                <td>
                  <progress max=${one.times} value=${one.begun + one.thereBefore} aria-label="Times begun"></progress>
                  ${" "}${one.begun + one.thereBefore} of ${one.times}${one.thereBefore > 0 && ", " + one.thereBefore + " had a run before"}
                </td>
                <td><${When} at=${one.createdAt} /> by ${visible(one.createdBy)}</td>
                <td>
                  ${one.state === "RUNNING" &&
                  html`<${Action} kind="danger" refused=${refused} onClick=${() => cancel(one)}>Cancel<//>`}
                </td>
              </tr>`,
            )}
          <//>
          ${data.nextCursor && html`<p class="faint">The newest ${BACKFILLS_MAX}. There are more.</p>`}`}<//>`;
}
