// SPDX-License-Identifier: Apache-2.0
// Addresses of a page that this browser remembers under a name.

import { useState } from "preact/hooks";
import { html } from "../../shared/html.js";
import { address } from "../../shared/router.js";
import { visible } from "../../shared/text.js";
import { ask } from "../../shared/widgets.js";

const KEY = "sluice-views";
const VIEWS_MAX = 30;

/** @returns {Record<string, string>} addresses by name */
function read() {
  try {
    const views = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return Object.fromEntries(
      Object.entries(views).filter(([, url]) => typeof url === "string" && url.startsWith("/")),
    );
  } catch {
    return {};
  }
}

/** @param {{page: string}} properties */
export function SavedViews({ page }) {
  const [views, setViews] = useState(read);
  const { query } = address.value;
  const here = page + (query.size > 0 ? "?" + query : "");
  /** @param {Record<string, string>} changed */
  const keep = (changed) => {
    localStorage.setItem(KEY, JSON.stringify(changed));
    setViews(changed);
  };
  const add = async () => {
    const values = await ask({
      title: "Save this view",
      text: "This browser remembers the filters under a name.",
      confirm: "Save",
      fields: [{ name: "name", label: "Name" }],
    });
    if (values) {
      const entries = Object.entries({ ...views, [values.name.trim()]: here });
      keep(Object.fromEntries(entries.slice(-VIEWS_MAX)));
    }
  };
  const mine = Object.entries(views).filter(([, url]) => url === page || url.startsWith(page + "?"));
  return html`<nav class="views" aria-label="Saved views">
    ${mine.map(
      ([name, url]) =>
        html`<span class="view">
          <a href=${url} aria-current=${url === here ? "page" : undefined}>${visible(name)}</a>
          <button
            type="button"
            aria-label=${"Forget the view " + visible(name)}
            onClick=${() => keep(Object.fromEntries(Object.entries(views).filter(([one]) => one !== name)))}
          >
            ×
          </button>
        </span>`,
    )}
    ${query.size > 0 && html`<button type="button" onClick=${add}>Save this view</button>`}
  </nav>`;
}
