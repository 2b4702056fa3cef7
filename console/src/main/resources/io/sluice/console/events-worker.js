// SPDX-License-Identifier: Apache-2.0
// One stream of events for all tabs: browsers open six connections to a server, and a stream takes one.

import { EventFeed } from "./shared/event-feed.js";

// Tabs close without a word. A channel, in contrast to their ports, needs no list of them.
const channel = new BroadcastChannel(/** @type {any} */ (self).name);
const feed = new EventFeed((message) => channel.postMessage(message));
feed.open();

/** @type {any} */ (self).onconnect = (/** @type {MessageEvent} */ connect) => {
  const port = connect.ports[0];
  port.postMessage({ type: "state", state: feed.state });
  port.onmessage = (message) => {
    if (message.data === "reopen") {
      feed.open();
    }
  };
};
