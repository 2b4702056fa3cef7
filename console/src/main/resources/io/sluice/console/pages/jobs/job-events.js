// SPDX-License-Identifier: Apache-2.0
// The events of a job, the oldest first.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { getAll, pathOf } from "../../shared/api.js";
import { OFTEN, useLive } from "../../shared/live.js";
import { moment, visible } from "../../shared/text.js";
import { Empty, Loaded, Table } from "../../shared/widgets.js";

const STEP = 500;

/** @param {{id: string}} properties */
export function Events({ id }) {
  const [max, setMax] = useState(STEP);
  const events = useLive(
    (signal) => getAll(pathOf`/v1/jobs/${id}/events`, {}, { max, signal }),
    [id, max],
    { when: (event) => event.job?.id === id, pause: OFTEN },
  );
  return html`<${Loaded} of=${events}>${(/** @type {{items: any[], complete: boolean}} */ data) =>
    data.items.length === 0
      ? html`<${Empty}>No events. Those that are older than the journal's retention are deleted.<//>`
      : html`<${Table} caption="Events of the job" head=${["Time", "Event", "What happened"]}>
            ${data.items.map(
              (event) =>
                html`<tr key=${event.sequence + "." + event.position}>
                  <td><time datetime=${event.at}>${moment(event.at)}</time></td>
                  <td>${event.kind}</td>
                  <td>${visible(event.text)}</td>
                </tr>`,
            )}
          <//>
          ${!data.complete &&
          html`<button type="button" onClick=${() => setMax(max + STEP)}>Show more</button>`}`}<//>`;
}
