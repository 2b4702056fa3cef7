// SPDX-License-Identifier: Apache-2.0
// Issued tokens: create, rotate, revoke. Only the answer to a creation or rotation has the token.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { getAll, pathOf, post, send } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { number, serverNow, visible, words } from "../../shared/text.js";
import { Action, Choice, Empty, Failure, Loaded, Table, When, ask, copy, perform } from "../../shared/widgets.js";

const TOKENS_MAX = 1000;
const ROLES = ["viewer", "submitter", "operator", "auditor", "admin"];
const DAY_MILLIS = 86_400_000;

export function Tokens() {
  const [secret, setSecret] = useState(/** @type {{name: string, token: string} | undefined} */ (undefined));
  const tokens = useLive((signal) => getAll("/v1/tokens", {}, { max: TOKENS_MAX, signal }), [], {
    when: () => false,
    every: 30_000,
  });
  /** @param {any} answer */
  const show = ({ token, issued }) => {
    setSecret({ name: issued.name, token });
    tokens.reload();
  };
  /** @param {any} one */
  const rotate = async (one) => {
    const values = await ask({
      title: "Replace the token of " + visible(one.name) + "?",
      fields: [{ name: "grace", label: "The present one stays valid for", value: "1h" }],
      confirm: "Replace it",
      danger: true,
    });
    if (values) {
      await perform(async () => show(await post(pathOf`/v1/tokens/${one.name}/rotate`, { query: { grace: values.grace } })), "Replaced");
    }
  };
  /** @param {any} one */
  const revoke = async (one) => {
    const sure = await ask({
      title: "Revoke the token of " + visible(one.name) + "?",
      text: "Requests with it are refused from now on, and its sessions end.",
      confirm: "Revoke it",
      danger: true,
    });
    if (sure && (await perform(() => send("DELETE", pathOf`/v1/tokens/${one.name}`), "Revoked"))) {
      tokens.reload();
    }
  };
  return html`${secret && html`<${Secret} key=${secret.token} secret=${secret} close=${() => setSecret(undefined)} />`}
    <details><summary>Create a token</summary><${CreateForm} onCreated=${show} /></details>
    <${Loaded} of=${tokens}>${(/** @type {{items: any[], complete: boolean}} */ { items, complete }) =>
      items.length === 0
        ? html`<${Empty}>No token was issued yet.<//>`
        : html`<${Table} caption="Issued tokens" head=${["Name", "Role", "Namespaces", "State", "Created", "Last used", "Expires", html`<span class="unseen">Actions</span>`]}>
              ${items.map(
                (one) => html`<tr key=${one.name}>
                  <td>${visible(one.name)}</td>
                  <td>${visible(one.role)}</td>
                  <td>${visible((one.namespaces ?? []).join(", "))}</td>
                  <td><span class=${"state " + (one.state === "valid" ? "good" : "waiting")}>${words(one.state)}</span></td>
                  <td><${When} at=${one.createdAt} /> by ${visible(one.createdBy)}</td>
                  <td>${one.lastUsedAt ? html`<${When} at=${one.lastUsedAt} />` : "never"}</td>
                  <td>${one.expiresAt ? html`<${When} at=${one.expiresAt} />` : "never"}</td>
                  <td><div class="buttons">
                    <${Action} onClick=${() => rotate(one)}>Rotate<//>
                    <${Action} kind="danger" onClick=${() => revoke(one)}>Revoke<//>
                  </div></td>
                </tr>`,
              )}
            <//>
            ${!complete && html`<p class="faint">The first ${number(TOKENS_MAX)} by name. There are more.</p>`}`}<//>`;
}

/** @param {{secret: {name: string, token: string}, close: () => void}} properties */
function Secret({ secret, close }) {
  return html`<div class="panel secret" role="status">
    <p>The token of ${visible(secret.name)}. <strong>Copy it now: no later page has it.</strong></p>
    <p><code>${secret.token}</code></p>
    <p class="buttons">
      <button type="button" class="primary" onClick=${() => copy(secret.token)}>Copy</button>
      <button type="button" onClick=${close}>I have it</button>
    </p>
  </div>`;
}

/** @param {{onCreated: (answer: any) => void}} properties */
function CreateForm({ onCreated }) {
  const [role, setRole] = useState("submitter");
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const fields = new FormData(form);
    const days = Number(fields.get("days"));
    try {
      const answer = await post("/v1/tokens", {
        body: {
          name: String(fields.get("name")).trim(),
          role,
          namespaces: String(fields.get("namespaces")).split(/[\s,]+/).filter(Boolean),
          expiresAt: days > 0 ? new Date(serverNow() + days * DAY_MILLIS).toISOString() : undefined,
        },
      });
      setFailure(undefined);
      form.reset();
      onCreated(answer);
    } catch (problem) {
      setFailure(/** @type {Error} */ (problem));
    }
  };
  return html`<form class="filters" onSubmit=${submit}>
      <label class="filter">Name of the caller <input name="name" required maxlength="100" /></label>
      <${Choice} label="Role" value=${role} choices=${ROLES} onValue=${setRole} />
      <label class="filter">Namespaces, or * <input name="namespaces" /></label>
      <label class="filter">Valid for days; empty: for ever <input name="days" type="number" min="1" max="3660" defaultValue="90" /></label>
      <button class="primary">Create</button>
    </form>
    <${Failure} failure=${failure} />`;
}
