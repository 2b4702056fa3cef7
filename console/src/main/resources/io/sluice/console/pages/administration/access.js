// SPDX-License-Identifier: Apache-2.0
// Tokens and sessions: who may call, and until when.

import { html } from "../../shared/html.js";
import { getAll, pathOf, send } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { may, whyNot } from "../../shared/session.js";
import { number, visible } from "../../shared/text.js";
import { Action, Empty, Loaded, Table, When, ask, perform } from "../../shared/widgets.js";
import { Tokens } from "./tokens.js";

const SESSIONS_MAX = 500;

export function Access() {
  return html`<h2>Tokens</h2>
    ${may("administer")
      ? html`<${Tokens} />`
      : html`<${Empty}>Listing and creating tokens ${whyNot("administer")}. You see your own sessions.<//>`}
    <h2>Sessions in browsers</h2>
    <${Sessions} />`;
}

/** @param {any[]} sessions */
function newestFirst(sessions) {
  return [...sessions].sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
}

function Sessions() {
  const sessions = useLive((signal) => getAll("/v1/sessions", {}, { max: SESSIONS_MAX, signal }), [], {
    when: () => false,
    every: 30_000,
  });
  /** @param {any} one */
  const revoke = async (one) => {
    const sure = await ask({
      title: "Revoke a session of " + visible(one.caller) + "?",
      text: one.current ? "It is the session of this page: you are signed out." : "Its browser has to sign in again.",
      confirm: "Revoke it",
      danger: true,
    });
    if (sure && (await perform(() => send("DELETE", pathOf`/v1/sessions/${one.id}`), "Revoked"))) {
      sessions.reload();
    }
  };
  return html`<${Loaded} of=${sessions}>${(/** @type {{items: any[], complete: boolean}} */ { items, complete }) =>
    items.length === 0
      ? html`<${Empty}>There is no session.<//>`
      : html`<${Table} caption="Sessions" head=${["Caller", "Signed in by", "Created", "Last used", "Expires", html`<span class="unseen">Actions</span>`]}>
            ${newestFirst(items).map(
              (one) => html`<tr key=${one.id}>
                <td>${visible(one.caller)} ${one.current && html`<span class="state good">this page</span>`}</td>
                <td>${visible(one.signedInBy)}</td>
                <td><${When} at=${one.createdAt} /></td>
                <td><${When} at=${one.lastUsedAt} /></td>
                <td><${When} at=${one.expiresAt} /></td>
                <td><${Action} kind="danger" onClick=${() => revoke(one)}>Revoke<//></td>
              </tr>`,
            )}
          <//>
          ${!complete && html`<p class="faint">The first ${number(SESSIONS_MAX)} sessions. There are more.</p>`}`}<//>`;
}
