// SPDX-License-Identifier: Apache-2.0
// What an edit would change: who gains, who waits, who is evicted, who is over, who starts when.

import { html } from "../../shared/html.js";
import { pathOf } from "../../shared/api.js";
import { counted, duration, number, visible, words } from "../../shared/text.js";
import { Empty, Table, When } from "../../shared/widgets.js";

/** Entries that are drawn of each list; the server sends 50. */
const SHOWN = 10;
const EFFECTS = ["starts", "earlier", "later", "never", "displaced", "spared", "unknown"];

/** @param {{answer: any}} properties answer of a request with `dryRun` */
export function Preview({ answer }) {
  const { results = [], preview } = answer;
  if (!preview) {
    return html`<p>${results.map((/** @type {any} */ one) => one.kind + " " + visible(one.name) + ": " + words(one.result))}</p>`;
  }
  const { starts } = preview;
  return html`<section class="panel preview" aria-label="Preview">
    <h3>What would change</h3>
    <p>
      ${results.map((/** @type {any} */ one) => html`${visible(one.kind)} ${visible(one.name)} would be <strong>${words(one.result)}</strong>. `)}
      <span class="faint">Computed from batch ${preview.sequence}.</span>
      ${preview.complete === false && html` <strong>The preview is incomplete: the server stopped before everything was decided.</strong>`}
    </p>
    ${(answer.warnings ?? []).map((/** @type {string} */ text) => html`<p class="state waiting">${visible(text)}</p>`)}
    <${Queues} queues=${preview.queues} />
    <div class="sides">
      <${Side} title="Gain" list=${preview.gains} none="No job gains at once." entry=${(/** @type {any} */ one) => html`<${JobLink} of=${one} /> ${counted(one.indices, "index", "indices")} on ${visible(one.given)}`} />
      <${Side} title="Wait" list=${preview.waits} none="No running job would wait." entry=${(/** @type {any} */ one) => html`<${JobLink} of=${one} /> <span class="faint">${words(one.blocker)}: ${visible(one.reason)}</span>`} />
      <${Side} title="Are evicted" list=${preview.evictions} none="No attempt is evicted." entry=${(/** @type {any} */ one) => html`<${JobLink} of=${one} /> <span class="faint">${words(one.cause)}: ${visible(one.reason)}</span>`} />
      <${Side} title="Are over their limit" list=${preview.over} none="No queue is over." entry=${(/** @type {any} */ one) => html`${visible(one.kind)} ${visible(one.name)}: ${visible(one.used)} of ${visible(one.resource)} in ${visible(one.flavor)} used, at most ${visible(one.most)}, over by ${visible(one.by)}; ${counted(one.attempts.count, "attempt")} would go first: ${one.attempts.first.slice(0, 3).map((/** @type {any} */ attempt) => html`<${JobLink} of=${attempt} /> `)}`} />
    </div>
    ${starts && html`<${Starts} starts=${starts} />`}
  </section>`;
}

/** @param {{of: any}} properties */
function JobLink({ of }) {
  if (!of.job) {
    return html`<span class="faint">a job that you may not read</span>`;
  }
  const name = of.name ? (of.namespace ? of.namespace + "/" : "") + of.name : "a job";
  return html`<a href=${pathOf`/jobs/${of.job}`}>${visible(name)}</a>`;
}

/** @param {{title: string, list: {count: number, first: any[]}, none: string, entry: (one: any) => any}} properties */
function Side({ title, list, none, entry }) {
  return html`<section aria-label=${title}>
    <h4>${title}: ${number(list.count)}</h4>
    ${list.count === 0
      ? html`<${Empty}>${none}<//>`
      : html`<ul>${list.first.slice(0, SHOWN).map((one, i) => html`<li key=${i}>${entry(one)}</li>`)}</ul>`}
    ${list.count > SHOWN && html`<p class="faint">and ${number(list.count - Math.min(SHOWN, list.first.length))} more</p>`}
  </section>`;
}

/** @param {{queues: {count: number, first: any[]}}} properties */
function Queues({ queues }) {
  if (queues.count === 0) {
    return null;
  }
  const rows = queues.first.flatMap((queue) =>
    queue.resources.map((/** @type {any} */ one) => ({ queue: queue.name, ...one })),
  );
  /** @param {any} one @param {string} field */
  const change = (one, field) =>
    one.without[field] === one.with[field]
      ? visible(one.with[field])
      : html`${visible(one.without[field])} → <strong>${visible(one.with[field])}</strong>`;
  return html`<${Table}
      caption="ClusterQueues that would change"
      head=${["ClusterQueue", "Flavor", "Resource", "Nominal", "Most", "Used"]}
    >
      ${rows.slice(0, 2 * SHOWN).map(
        (one, i) => html`<tr key=${i}>
          <td>${visible(one.queue)}</td>
          <td>${visible(one.flavor)}</td>
          <td>${visible(one.name)}</td>
          <td>${change(one, "nominal")}</td>
          <td>${change(one, "most")}</td>
          <td>${change(one, "used")}</td>
        </tr>`,
      )}
    <//>
    ${(queues.count > queues.first.length || rows.length > 2 * SHOWN) && html`<p class="faint">${counted(queues.count, "queue")} in all.</p>`}`;
}

/** @param {{starts: any}} properties */
function Starts({ starts }) {
  const { counts, jobs, truncated, assumption } = starts;
  return html`<h4>Starts until <${When} at=${starts.until} /></h4>
    <p>
      ${EFFECTS.filter((effect) => counts[effect] > 0).map(
        (effect) => html`<span class=${"state " + effectTone(effect)}>${number(counts[effect])} ${effect}</span> `,
      )}
      ${EFFECTS.every((effect) => !counts[effect]) && "No start moves. "}
      ${truncated && html`<span class="faint">The server stopped here: it looks ahead for 3 seconds. </span>`}
    </p>
    <p class="faint">${visible(assumption)}</p>
    ${jobs.first.length > 0 &&
    html`<${Table} caption="Jobs whose starts move" head=${["Job", "ClusterQueue", "Effect", "Start before", "Start after", "Shift"]}>
      ${jobs.first.slice(0, 2 * SHOWN).map(
        (/** @type {any} */ one) => html`<tr key=${one.job}>
          <td><${JobLink} of=${one} /></td>
          <td>${visible(one.clusterQueue)}</td>
          <td><span class=${"state " + effectTone(one.effect)}>${visible(one.effect)}</span>${one.evictedFor && html` <span class="faint">for ${visible(one.evictedFor)}</span>`}</td>
          <td>${one.before ? html`<${When} at=${one.before} />` : one.running ? "runs" : html`<span class="faint">no date</span>`}</td>
          <td>${one.after ? html`<${When} at=${one.after} />` : one.effect === "never" ? "never" : html`<span class="faint">no date</span>`}</td>
          <td>${Boolean(one.delaySeconds) && (one.delaySeconds < 0 ? "−" : "+") + duration(1000 * Math.abs(one.delaySeconds))}</td>
        </tr>`,
      )}
    <//>
    ${jobs.count > 2 * SHOWN && html`<p class="faint">${counted(jobs.count, "job")} in all.</p>`}`}`;
}

/** @param {string} effect */
function effectTone(effect) {
  return { starts: "good", earlier: "good", spared: "good", later: "waiting", never: "bad", displaced: "draining" }[effect] ?? "neutral";
}
