// SPDX-License-Identifier: Apache-2.0
// Whether a run meets its deadline.

import { html } from "../../shared/html.js";
import { words } from "../../shared/text.js";

/** @type {Record<string, string>} */
const TONES = { IN_TIME: "good", MAY_BE_LATE: "waiting", WILL_BE_LATE: "draining", LATE: "bad" };

/** @param {{of: string | undefined}} properties */
export function Lateness({ of }) {
  return of ? html`<span class=${"state " + (TONES[of] ?? "neutral")}>${words(of)}</span>` : null;
}
