// SPDX-License-Identifier: Apache-2.0
// The editor of one object: form or text, preview, and a write that overwrites nobody's edit.

import { useEffect, useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { send } from "../../shared/api.js";
import { useLive } from "../../shared/live.js";
import { identity } from "../../shared/session.js";
import { visible } from "../../shared/text.js";
import { Action, Failure, Tabs, ask, notify } from "../../shared/widgets.js";
import { address } from "../../shared/router.js";
import { FIELDS, manifestIn } from "./fields.js";
import { QuotaForm } from "./form.js";
import { manifestOf, objectPath, skeletonOf } from "./kinds.js";
import { Difference } from "./lines.js";
import { Preview } from "./preview.js";
import { whyNoEdit } from "./rights.js";

/**
 * @typedef {{manifest: any, etag: string}} Read an object as it was read
 * @typedef {{base: Read, text: string}} Draft an edit, and what it began from
 */

/** Bookings and outages change without an event. */
const EVERY = 15_000;

/** Edits that are neither written nor given up, by caller and path: they survive a look at another view. */
/** @type {Map<string, Draft>} */
const drafts = new Map();

/** @param {Draft} draft */
const isEdited = ({ base, text }) => text !== asText(base.manifest);

/** @param {any} manifest */
const asText = (manifest) => JSON.stringify(manifest, undefined, 2);

/**
 * @param {{kind: import("./kinds.js").Kind, id: string, onDone: (id: string | undefined) => void}} properties
 *     `id`: empty for a new object; `onDone`: told of what was written, undefined after a deletion
 */
export function Editor({ kind, id, onDone }) {
  const path = id ? objectPath(kind, id) : "/v1/" + kind.plural;
  const draftKey = identity.value?.name + " " + path;
  const [draft, setDraft] = useState(/** @type {Draft | undefined} */ (drafts.get(draftKey) ?? (id ? undefined : newDraft(kind))));
  const [preview, setPreview] = useState(/** @type {any} */ (undefined));
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [busy, setBusy] = useState(false);
  const [superseded, setSuperseded] = useState(/** @type {Read | undefined} */ (undefined));
  const now = useLive(
    async (signal) => {
      if (!id) {
        return undefined;
      }
      const answer = await send("GET", path, { signal });
      return { manifest: manifestOf(await answer.json()), etag: answer.headers.get("ETag") ?? "" };
    },
    [path],
    { when: ({ object }) => object.kind === kind.kind, pause: 1000, every: EVERY },
  );
  const current = /** @type {Read | undefined} */ (now.data);
  /** @param {Draft} next */
  const keep = (next) => {
    setDraft(next);
    if (isEdited(next)) {
      drafts.set(draftKey, next);
    } else {
      drafts.delete(draftKey);
    }
  };
  useEffect(() => {
    // An edit stays when the object changes; without one, the page follows the object.
    if (current && (!draft || (!isEdited(draft) && draft.base.etag !== current.etag))) {
      keep({ base: current, text: asText(current.manifest) });
    }
  }, [current]);
  if (!draft) {
    return html`<${Failure} failure=${now.failure} retry=${now.reload} />`;
  }
  const manifest = manifestIn(draft.text);
  const changed = isEdited(draft);
  const outdated =
    current !== undefined && current !== superseded && current.etag !== draft.base.etag;
  const denied = whyNoEdit();
  /** @param {string} text */
  const edit = (text) => {
    setPreview(undefined);
    setFailure(undefined);
    keep({ ...draft, text });
  };
  /** @param {() => Promise<void>} action */
  const run = async (action) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await action();
    } catch (problem) {
      setFailure(/** @type {Error} */ (problem));
      now.reload();
    }
    setBusy(false);
  };
  const method = id ? "PUT" : "POST";
  const headers = /** @type {Record<string, string>} */ (id ? { "If-Match": draft.base.etag } : {});
  const look = () =>
    run(async () => {
      setPreview(undefined);
      setPreview(await (await send(method, path, { query: { dryRun: true }, body: draft.text, headers })).json());
    });
  const apply = () =>
    run(async () => {
      const answer = await send(method, path, { body: draft.text, headers });
      const written = await answer.json();
      const base = { manifest: manifestOf(written), etag: answer.headers.get("ETag") ?? "" };
      notify(id ? "Written" : "Created");
      setPreview(undefined);
      // What was read before this write is no edit of somebody else.
      setSuperseded(current);
      keep({ base, text: asText(base.manifest) });
      now.reload();
      onDone(kind.namespaced ? written.metadata.namespace + "/" + written.metadata.name : written.metadata.name);
    });
  const remove = () =>
    run(async () => {
      const checked = await (await send("DELETE", path, { query: { dryRun: true }, headers })).json();
      const sure = await ask({
        title: "Delete " + kind.kind + " " + visible(id) + "?",
        text: html`<${Preview} answer=${checked} />`,
        confirm: "Delete it",
        danger: true,
      });
      if (sure) {
        await send("DELETE", path, { headers });
        drafts.delete(draftKey);
        notify("Deleted");
        onDone(undefined);
      }
    });
  const give = () => {
    drafts.delete(draftKey);
    setPreview(undefined);
    setFailure(undefined);
    setDraft(current ? { base: current, text: asText(current.manifest) } : newDraft(kind));
  };
  const waits = busy ? "the server is asked" : !changed && id ? "nothing is changed" : false;
  return html`<section class="editor" aria-label=${id ? "Edit " + visible(id) : "New " + kind.kind}>
    <h2>${id ? visible(id) : "New " + kind.kind} ${changed && html`<span class="state waiting">edited</span>`}</h2>
    ${outdated && html`<${Conflict} draft=${draft} current=${/** @type {Read} */ (current)} rebase=${() => keep({ ...draft, base: /** @type {Read} */ (current) })} />`}
    <${Fields} kind=${kind} fresh=${!id} draft=${draft} manifest=${manifest} violations=${violationsOf(failure)} edit=${edit} />
    <div class="buttons" role="group" aria-label="Actions on the object">
      <${Action} refused=${denied || waits} onClick=${look}>Preview<//>
      <${Action} kind="primary" refused=${denied || waits || (outdated && "the object has changed meanwhile: see above")} onClick=${apply}>${id ? "Apply" : "Create"}<//>
      ${changed && html`<${Action} onClick=${give}>Give up the edit<//>`}
      ${id && html`<${Action} kind="danger" refused=${denied || (busy && "the server is asked")} onClick=${remove}>Delete<//>`}
    </div>
    ${denied && html`<p class="faint">You see it, and may not change it: ${visible(denied)}.</p>`}
    ${busy && html`<p class="loading" role="status">The server computes</p>`}
    <${Failure} failure=${failure} />
    <div aria-live="polite">${preview && html`<${Preview} answer=${preview} />`}</div>
    ${changed && manifest && id && html`<details><summary>Changed lines</summary><${Difference} before=${draft.base.manifest} after=${manifest} label="Changed lines" /></details>`}
  </section>`;
}

/** @param {import("./kinds.js").Kind} kind @returns {Draft} */
function newDraft(kind) {
  const manifest = skeletonOf(kind);
  return { base: { manifest, etag: "" }, text: asText(manifest) };
}

/** @param {{draft: Draft, current: Read, rebase: () => void}} properties */
function Conflict({ draft, current, rebase }) {
  return html`<div class="failure" role="alert">
    <p>
      Somebody has changed this object since you began. Your edit is kept, and nothing was
      overwritten. Compare, take over what you need into your edit, and say that it replaces the other.
    </p>
    <${Difference} before=${draft.base.manifest} after=${current.manifest} label="What the other edit changed" />
    <p><button type="button" onClick=${rebase}>My edit replaces it</button></p>
  </div>`;
}

/** @param {Error | undefined} failure */
function violationsOf(failure) {
  return /** @type {import("../../shared/api.js").Problem | undefined} */ (failure)?.violations ?? [];
}

/**
 * @param {{kind: import("./kinds.js").Kind, fresh: boolean, draft: Draft, manifest: any,
 *     violations: {path: string, message: string}[], edit: (text: string) => void}} properties
 */
function Fields({ kind, fresh, draft, manifest, violations, edit }) {
  const { query } = address.value;
  const asked = query.get("form") === "text" || !FIELDS[kind.kind] ? "text" : "form";
  const lines = draft.text.split("\n").length;
  /** @param {string} form */
  const href = (form) => {
    const next = new URLSearchParams(query);
    next.set("form", form);
    return "/administration?" + next;
  };
  return html`${FIELDS[kind.kind] &&
    html`<${Tabs} label="Form or text" views=${{ form: "Form", text: "Text" }} current=${asked} href=${href} />`}
    ${asked === "form" &&
    (manifest
      ? html`<${QuotaForm} manifest=${manifest} fresh=${fresh} violations=${violations} onChange=${(/** @type {any} */ next) => edit(asText(next))} />`
      : html`<p class="faint">The form needs JSON, and the text is not JSON. YAML is accepted as it is: edit it as text.</p>`)}
    ${asked === "text" &&
    html`<label class="filter">Manifest, JSON or YAML
      <textarea
        class="mono manifest"
        spellcheck=${false}
        rows=${Math.min(30, Math.max(10, lines))}
        value=${draft.text}
        onInput=${(/** @type {Event} */ event) => edit(/** @type {HTMLTextAreaElement} */ (event.target).value)}
      ></textarea>
    </label>`}`;
}
