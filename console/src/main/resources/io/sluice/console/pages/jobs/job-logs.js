// SPDX-License-Identifier: Apache-2.0
// The output of a job as it comes, by worker, with a search.

import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { Problem, pathOf, withQuery } from "../../shared/api.js";
import { useShown } from "../../shared/live.js";
import { address, setQuery } from "../../shared/router.js";
import { hasEnded } from "../../shared/job-actions.js";
import { number, visible } from "../../shared/text.js";
import { Choice, Failure, TextFilter } from "../../shared/widgets.js";
import { VirtualTable } from "../../shared/virtual-table.js";
import { LogLines } from "./log-lines.js";

/** Bytes before the end of each worker's output that are read. */
const TAIL = 2_000_000;
const REDRAW_MILLIS = 150;

/** @param {{job: Job}} properties */
export function Logs({ job }) {
  const { query } = address.value;
  const index = query.get("index") ?? "0";
  const attempt = query.get("attempt") ?? "";
  const worker = query.get("worker") ?? "";
  const wanted = query.get("find") ?? "";
  const [, redraw] = useState(0);
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [ended, setEnded] = useState(false);
  const [again, setAgain] = useState(0);
  const log = useRef(new LogLines());
  const live = !hasEnded(job);
  // A followed output takes one of the six connections that all tabs have: a hidden tab gives it up.
  const shown = useShown();
  const attempts = job.status.attempts;
  useEffect(() => {
    if (!shown) {
      return;
    }
    const aborter = new AbortController();
    log.current = new LogLines();
    setFailure(undefined);
    setEnded(false);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        redraw((times) => times + 1);
      }, REDRAW_MILLIS);
    };
    read(job.id, { index, attempt, tail: TAIL, follow: live }, log.current, changed, aborter.signal).then(
      () => setEnded(true),
      (problem) => aborter.signal.aborted || setFailure(problem),
    );
    return () => {
      aborter.abort();
      clearTimeout(timer);
    };
    // A further attempt has an output of its own.
  }, [job.id, index, attempt, attempt === "" ? attempts : 0, again, shown]);

  const lines = log.current.find(worker, wanted);
  const isArray = job.spec.array !== undefined;
  return html`<div class="filters" role="search" aria-label="Search the output">
      ${isArray &&
      html`<${TextFilter} label="Index" type="number" value=${index} onValue=${(/** @type {string} */ value) => setQuery({ index: value })} />`}
      <${TextFilter}
        label="Attempt (empty: the last)"
        type="number"
        value=${attempt}
        onValue=${(/** @type {string} */ value) => setQuery({ attempt: value })}
      />
      <${Choice}
        label="Worker"
        value=${worker}
        choices=${[["", "all"], ...[...log.current.workers].sort().map((name) => [name, visible(name)])]}
        onValue=${(/** @type {string} */ value) => setQuery({ worker: value })}
      />
      <${TextFilter} label="Find" value=${wanted} onValue=${(/** @type {string} */ value) => setQuery({ find: value })} />
      <a class="button" download href=${withQuery(pathOf`/v1/jobs/${job.id}/logs`, { index, attempt })}>Download</a>
    </div>
    <${Failure} failure=${failure} retry=${() => setAgain(again + 1)} />
    <p class="faint" role="status">
      ${number(lines.length)} lines${log.current.dropped > 0 ? ", older ones are left out" : ""}${ended ? ". This attempt's output has ended." : live && !failure ? ", more as they come" : ""}
    </p>
    <${LogTable} lines=${lines} workers=${log.current.workers.size > 0} follow=${!ended && wanted === ""} />`;
}

/** @param {{lines: import("./log-lines.js").Line[], workers: boolean, follow: boolean}} properties */
function LogTable({ lines, workers, follow }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const atEnd = useRef(true);
  useEffect(() => {
    const box = place.current?.querySelector(".virtual");
    if (follow && box && atEnd.current) {
      box.scrollTop = box.scrollHeight;
    }
  }, [lines.length, follow]);
  return html`<div
    ref=${place}
    onScrollCapture=${(/** @type {Event} */ event) => {
      const box = /** @type {Element} */ (event.target);
      atEnd.current = box.scrollTop + box.clientHeight > box.scrollHeight - 60;
    }}
  >
    <${VirtualTable}
      label="Output"
      kind=${workers ? "log" : "log single"}
      head=${workers ? ["Line", "Worker", "Text"] : ["Line", "Text"]}
      count=${lines.length}
      onRange=${() => {}}
      row=${(/** @type {number} */ at) => {
        const line = lines[at];
        return workers
          ? [line.number, visible(line.worker), visible(line.text)]
          : [line.number, visible(line.text)];
      }}
    />
  </div>`;
}

/**
 * Reads an output to its end.
 * @param {string} id
 * @param {import("../../shared/api.js").Query} query
 * @param {LogLines} log
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
async function read(id, query, log, changed, signal) {
  const answer = await fetch(withQuery(pathOf`/v1/jobs/${id}/logs`, query), { signal });
  if (answer.status >= 400 || !answer.body) {
    throw new Problem(answer.status, await answer.json().catch(() => ({})));
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      log.end();
      changed();
      return;
    }
    log.add(value);
    changed();
  }
}
