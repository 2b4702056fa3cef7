// SPDX-License-Identifier: Apache-2.0
// Templates of pages: html`<p>${text}</p>`. Values are text or components, never markup.

import { h } from "preact";
import htm from "htm";

export const html = htm.bind(h);
