// SPDX-License-Identifier: Apache-2.0
// The changes that the server tells of, shared by all tabs of this browser.

import { signal } from "@preact/signals";
import { learnSequence } from "./api.js";
import { EventFeed } from "./event-feed.js";

/** The folder of this version of the console. Tabs of another version have a worker of their own. */
const FOLDER = new URL("..", import.meta.url).pathname;
const NAME = "sluice-events " + FOLDER;

/** @type {import("@preact/signals").Signal<import("./event-feed.js").Connection>} */
export const connection = signal("connecting");

/** @typedef {(events: WatchEvent[] | undefined) => void} Listener undefined: read everything again */
/** @type {Set<Listener>} */
const listeners = new Set();

let reopen = () => {};

/** @param {import("./event-feed.js").Message} message */
function receive(message) {
  if (message.type === "state") {
    connection.value = message.state;
  } else {
    learnSequence(message.seen);
    const events = message.type === "events" ? message.events : undefined;
    listeners.forEach((listener) => listener(events));
  }
}

function viaWorker() {
  let url = FOLDER + "events-worker.js";
  const types = /** @type {any} */ (window).trustedTypes;
  if (types) {
    // The worker's address is a constant of this file, so there is nothing to check.
    url = types.createPolicy("sluice", { createScriptURL: () => url }).createScriptURL("");
  }
  const worker = new SharedWorker(url, { name: NAME, type: "module" });
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = (message) => receive(message.data);
  worker.port.onmessage = (message) => receive(message.data);
  reopen = () => worker.port.postMessage("reopen");
}

function viaThisTab() {
  const feed = new EventFeed(receive);
  feed.open();
  reopen = () => feed.open();
}

let begun = false;

/** Begins to listen, again after a sign-in. */
export function listen() {
  if (begun) {
    reopen();
    return;
  }
  begun = true;
  if ("SharedWorker" in window) {
    viaWorker();
  } else {
    viaThisTab();
  }
}

/**
 * @param {Listener} listener
 * @returns {() => void} ends it
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
