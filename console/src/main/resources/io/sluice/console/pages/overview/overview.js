// SPDX-License-Identifier: Apache-2.0
// What is going on, and what is wrong: health, the fleet, waiting jobs, queues, failures.

import { useMemo, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { get, getAll } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { Failure, Loaded } from "../../shared/widgets.js";
import { Failures } from "./failures.js";
import { Health } from "./health.js";
import { slicesOf } from "./jobs.js";
import { FleetMap } from "./map.js";
import { Pressure, readOldest } from "./pressure.js";
import { useSlices } from "./slices.js";
import { InTheWay, WaitingList, readWaiting, useExplanation } from "./waiting.js";

const QUEUES_MAX = 500;

const FLEET_FIELDS = "hosts,hostsFailed,sliceCount,clusters,refused";
const QUEUE_FIELDS = "items.metadata.name,items.spec,items.status,nextCursor";

/** The id of a job. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param {WatchEvent} event */
const ofFleet = ({ object }) => ["Slice", "Attempt", "Fleet"].includes(object.kind);

/** @param {WatchEvent} event */
const ofQueues = ({ object }) => ["Job", "Attempt", "ClusterQueue"].includes(object.kind);

export default function Overview() {
  const slices = useSlices();
  const fleet = useLive((signal) => get("/v1/fleet", { limit: 1, fields: FLEET_FIELDS }, signal), [], {
    when: ofFleet,
    pause: 2000,
    every: 30_000,
  });
  const queues = useLive(
    (signal) => getAll("/v1/clusterqueues", { fields: QUEUE_FIELDS }, { max: QUEUES_MAX, signal }),
    [],
    { when: ofQueues, pause: 2000, every: 60_000 },
  );
  const waiting = useLive(readWaiting, [], { when: ofQueues, pause: 5000, every: 60_000 });
  const oldest = useLive(readOldest, [], { when: ofQueues, pause: 5000, every: 60_000 });
  const [pointed, setPointed] = useState(/** @type {string | undefined} */ (undefined));
  const asked = address.value.query.get("job") ?? "";
  const pinned = ID.test(asked) ? asked : "";
  const shown = pointed ?? (pinned || undefined);
  const explanation = useExplanation(shown);
  const inTheWay = useMemo(() => {
    const first = explanation.data?.inTheWay?.first ?? [];
    const jobs = new Set(/** @type {string[]} */ (first.map((/** @type {any} */ one) => one.job).filter(Boolean)));
    return slices.data && slicesOf(slices.data.items, jobs);
  }, [slices.data, explanation.data]);
  const marked = inTheWay?.size ?? 0;
  const name = waiting.data?.find(({ id }) => id === shown)?.metadata.name;
  const names = useMemo(
    () => (queues.data?.items ?? []).map(({ metadata }) => metadata.name),
    [queues.data],
  );
  return html`<h1>Overview</h1>
    <section aria-label="Health">
      <${Loaded} of=${fleet}>${(/** @type {any} */ data) =>
        html`<${Health} fleet=${data} queues=${queues.data?.items ?? []} />`}<//>
    </section>
    <section aria-labelledby="fleet">
      <h2 id="fleet">Fleet</h2>
      <${Loaded} of=${slices}>${(/** @type {{items: MapSlice[], complete: boolean}} */ data) =>
        html`<${FleetMap}
          slices=${data.items}
          complete=${data.complete}
          names=${names}
          inTheWay=${explanation.data && marked > 0 ? inTheWay : undefined}
        />`}<//>
    </section>
    <section aria-labelledby="longest">
      <h2 id="longest">Waiting longest</h2>
      <${Failure} failure=${waiting.failure} retry=${waiting.reload} />
      <div class="waiting-columns">
        <div>
          ${waiting.data
            ? html`<${WaitingList} jobs=${waiting.data} pinned=${pinned} shown=${shown} onPoint=${setPointed} />`
            : !waiting.failure && html`<p class="loading" role="status">Loading</p>`}
        </div>
        <section class="panel" aria-label="In the way" aria-live="polite">
          <${InTheWay} explanation=${explanation} shown=${shown} name=${name} marked=${marked} />
          ${pinned &&
          html`<button type="button" onClick=${() => setQuery({ job: undefined })}>Clear the marks</button>`}
        </section>
      </div>
    </section>
    <div class="overview-columns">
      <section aria-labelledby="pressure">
        <h2 id="pressure">Queues</h2>
        <${Loaded} of=${queues}>${(/** @type {{items: any[]}} */ data) =>
          html`<${Pressure} queues=${data.items} oldest=${oldest.data} />`}<//>
      </section>
      <section aria-labelledby="failures">
        <h2 id="failures">Failures of the last hour</h2>
        <${Failures} />
      </section>
    </div>`;
}
