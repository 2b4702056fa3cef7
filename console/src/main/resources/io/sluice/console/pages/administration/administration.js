// SPDX-License-Identifier: Apache-2.0
// Quota, classes, fleet, audit, past decisions and access: what administrators change and look up.

import { html } from "../../shared/html.js";
import { address } from "../../shared/router.js";
import { Tabs } from "../../shared/widgets.js";
import { Access } from "./access.js";
import { Audit } from "./audit.js";
import { Decisions } from "./decisions.js";
import { Fleet } from "./fleet.js";
import { CLASS_KINDS, QUOTA_KINDS } from "./kinds.js";
import { Objects } from "./objects.js";

const VIEWS = {
  quota: "Quota",
  classes: "Classes and queues",
  fleet: "Fleet",
  audit: "Audit",
  decisions: "Decisions",
  access: "Access",
};

export default function Administration() {
  const asked = address.value.query.get("view") ?? "quota";
  const view = Object.hasOwn(VIEWS, asked) ? asked : "quota";
  return html`<h1>Administration</h1>
    <${Tabs}
      label="Views of the administration"
      views=${VIEWS}
      current=${view}
      href=${(/** @type {string} */ one) => "/administration?view=" + one}
    />
    ${view === "quota" && html`<${Objects} view="quota" kinds=${QUOTA_KINDS} />`}
    ${view === "classes" && html`<${Objects} view="classes" kinds=${CLASS_KINDS} />`}
    ${view === "fleet" && html`<${Fleet} />`} ${view === "audit" && html`<${Audit} />`}
    ${view === "decisions" && html`<${Decisions} />`} ${view === "access" && html`<${Access} />`}`;
}
