// SPDX-License-Identifier: Apache-2.0
// The address of the page. It holds everything that restores the page, filters included.

import { signal } from "@preact/signals";

function read() {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export const address = signal(read());

addEventListener("popstate", () => {
  address.value = read();
});

/** @param {string} url a path of this server */
export function navigate(url) {
  history.pushState(null, "", url);
  address.value = read();
  scrollTo(0, 0);
}

/**
 * Changes parameters of the address, without a new entry in the history. An empty value removes one.
 * @param {Record<string, string | string[] | undefined>} changes
 */
export function setQuery(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one) {
        query.append(name, one);
      }
    }
  }
  const text = query.toString();
  history.replaceState(null, "", location.pathname + (text ? "?" + text : ""));
  address.value = read();
}

/**
 * Follows links of the console without loading the page anew.
 * @param {MouseEvent} click
 */
export function followLink(click) {
  const target = /** @type {Element | null} */ (click.target);
  const link = /** @type {HTMLAnchorElement | null | undefined} */ (target?.closest("a[href]"));
  if (
    !link ||
    click.defaultPrevented ||
    click.button !== 0 ||
    click.metaKey ||
    click.ctrlKey ||
    click.shiftKey ||
    click.altKey ||
    link.target ||
    link.hasAttribute("download") ||
    link.origin !== location.origin ||
    !isPage(link.pathname)
  ) {
    return;
  }
  click.preventDefault();
  navigate(link.pathname + link.search);
}

/** @type {(path: string) => boolean} */
let isPage = () => false;

/** @param {(path: string) => boolean} test */
export function setPages(test) {
  isPage = test;
}
