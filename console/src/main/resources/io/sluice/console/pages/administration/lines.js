// SPDX-License-Identifier: Apache-2.0
// The difference of two manifests, for readers.

import { html } from "../../shared/html.js";
import { number, visible } from "../../shared/text.js";
import { aroundChanges, diffLines, sortedJson } from "./diff.js";

const LINES_MAX = 500;
const SIGNS = { same: "\u00a0", added: "+", removed: "−", "left out": "…" };

/** @param {{before: unknown, after: unknown, label: string}} properties undefined: there is no manifest */
export function Difference({ before, after, label }) {
  const lines = aroundChanges(
    diffLines(
      before === undefined ? "" : sortedJson(before),
      after === undefined ? "" : sortedJson(after),
    ),
  );
  if (lines.every(({ kind }) => kind === "left out")) {
    return html`<p class="faint">The manifests are equal.</p>`;
  }
  return html`<div class="difference" role="region" aria-label=${label} tabindex="0">
      ${lines.slice(0, LINES_MAX).map(
        ({ kind, text }, i) => html`<div key=${i} class=${kind.replace(" ", "-")}>
          <span aria-hidden="true">${SIGNS[kind]} </span>${kind !== "same" && kind !== "left out" && html`<span class="unseen">${kind}: </span>`}${visible(text)}
        </div>`,
      )}
    </div>
    ${lines.length > LINES_MAX && html`<p class="faint">The first ${number(LINES_MAX)} of ${number(lines.length)} lines.</p>`}`;
}
