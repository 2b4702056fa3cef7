// SPDX-License-Identifier: Apache-2.0
// The frame of all pages: navigation, sign-in, the state of the connection.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { html } from "./shared/html.js";
import { match } from "./shared/pattern.js";
import { address, followLink, setPages } from "./shared/router.js";
import { askIdentity, identity, signIn, signInByCode, signOut } from "./shared/session.js";
import { connection, listen } from "./shared/events.js";
import { duration, visible, whenClocksDiffer } from "./shared/text.js";
import { Failure, Guard, Notices, Questions, notify, perform } from "./shared/widgets.js";

/**
 * @typedef {object} Route
 * @property {string} pattern
 * @property {() => Promise<{default: import("preact").ComponentType<any>}>} load
 * @property {string[]} [styles] style sheets besides that of all pages
 * @property {string} [name] in the navigation
 * @property {string} [title] of a page that is not in the navigation
 */

const BARS = "pages/queues/bars.css";
const PIPELINES = ["pages/pipelines/pipelines.css"];

/** @type {Route[]} */
const ROUTES = [
  {
    pattern: "/",
    name: "Overview",
    styles: ["pages/overview/overview.css", BARS],
    load: () => import("./pages/overview/overview.js"),
  },
  {
    pattern: "/queues",
    name: "Queues",
    styles: ["pages/queues/queues.css", BARS],
    load: () => import("./pages/queues/queues.js"),
  },
  { pattern: "/jobs", name: "Jobs", load: () => import("./pages/jobs/jobs.js") },
  { pattern: "/jobs/:id", title: "Job", load: () => import("./pages/jobs/job.js") },
  {
    pattern: "/timeline",
    name: "Timeline",
    styles: ["pages/timeline/timeline.css"],
    load: () => import("./pages/timeline/timeline.js"),
  },
  {
    pattern: "/pipelines",
    name: "Pipelines",
    styles: PIPELINES,
    load: () => import("./pages/pipelines/pipelines.js"),
  },
  {
    pattern: "/pipelines/:namespace/:name",
    title: "Pipeline",
    styles: PIPELINES,
    load: () => import("./pages/pipelines/pipeline.js"),
  },
  {
    pattern: "/runs/:id",
    title: "Run",
    styles: PIPELINES,
    load: () => import("./pages/pipelines/run.js"),
  },
  {
    pattern: "/usage",
    name: "Usage",
    styles: ["lib/uplot/dist/uPlot.min.css", "pages/usage/usage.css"],
    load: () => import("./pages/usage/usage.js"),
  },
  {
    pattern: "/administration",
    name: "Administration",
    styles: ["pages/administration/administration.css"],
    load: () => import("./pages/administration/administration.js"),
  },
];

/**
 * Adds a style sheet, once.
 * @param {string} file
 * @returns {Promise<void>} settled when the browser has it, or will not get it
 */
function addStyle(file) {
  const url = VERSION + file;
  if (document.querySelector(`link[href="${url}"]`)) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = url;
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

setPages((path) => ROUTES.some(({ pattern }) => match(pattern, path)));

/** The version of these files, and whether the server has another one by now. */
const VERSION = new URL(".", import.meta.url).pathname;
const outdated = signal(false);

/** Milliseconds by which the clock of the server is ahead of this machine's. */
const clockDifference = signal(0);
whenClocksDiffer((milliseconds) => {
  clockDifference.value = milliseconds;
});

/** A server that was replaced has pages that may not fit these scripts. */
async function compareVersions() {
  const answer = await fetch("/", {
    method: "HEAD",
    cache: "no-store",
    headers: { Accept: "text/html" },
  });
  const served = answer.headers.get("Sluice-Console");
  outdated.value = answer.ok && served !== null && served !== VERSION;
}

let wasLost = false;
connection.subscribe((state) => {
  if (state === "live" && wasLost) {
    compareVersions().catch(() => {});
  }
  wasLost = state === "lost";
});

function SignIn() {
  const [failure, setFailure] = useState(/** @type {Error | undefined} */ (undefined));
  const [provider, setProvider] = useState("");
  useEffect(() => {
    fetch("/v1/sign-in")
      .then((answer) => answer.json())
      .then((known) => setProvider(known.issuer ?? ""))
      .catch(() => {});
  }, []);
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const token = String(new FormData(form).get("token")).trim();
    try {
      await signIn(token);
    } catch (refused) {
      setFailure(/** @type {Error} */ (refused));
    }
  };
  const target = encodeURIComponent(location.pathname + location.search);
  return html`<section class="sign-in" aria-labelledby="sign-in">
    <h1 id="sign-in">Sign in to Sluice</h1>
    ${provider &&
    html`<p><a class="button primary" href=${"/session/login?to=" + target}>Sign in with your account</a></p>
      <p>${visible(provider)}</p>`}
    <form onSubmit=${submit}>
      <label>Token <input name="token" type="password" autocomplete="off" required /></label>
      <button class=${provider ? "" : "primary"}>Sign in with a token</button>
    </form>
    <p>
      On the machine of the server, <code>./sluice open</code> opens this page signed in. A token of
      your own is made by an administrator, with <code>./sluice token create</code>.
    </p>
    <${Failure} failure=${failure} />
  </section>`;
}

function Banner() {
  if (outdated.value) {
    return html`<p class="banner" role="status">
      The server has another version than this page.
      <button type="button" onClick=${() => location.reload()}>Load the new one</button>
    </p>`;
  }
  if (connection.value === "lost") {
    return html`<p class="banner bad" role="status">
      The connection to the server is lost. What you see may be old. It is tried again.
    </p>`;
  }
  if (connection.value === "refused") {
    return html`<p class="banner" role="status">
      You may not watch events, so this page changes only when you load it.
    </p>`;
  }
  return clockDifference.value === 0
    ? null
    : html`<p class="banner" role="status">
        The clock of this machine differs from the server's by
        ${" " + duration(Math.abs(clockDifference.value))}. Times are those of the server.
      </p>`;
}

/** Loads the page of an address. A page of another version than this script is not to be had. */
function Content() {
  const { path } = address.value;
  const route = ROUTES.find(({ pattern }) => match(pattern, path));
  const [page, setPage] = useState(/** @type {{route?: Route, view?: any, failure?: Error}} */ ({}));
  useEffect(() => {
    const title = route?.name ?? route?.title;
    document.title = title ? title + " - Sluice" : "Sluice";
    let current = true;
    Promise.all([route?.load(), ...(route?.styles ?? []).map(addStyle)]).then(
      ([module]) => current && setPage({ route, view: module?.default }),
      (failure) => current && setPage({ route, failure }),
    );
    return () => {
      current = false;
    };
  }, [route]);
  if (!route) {
    return html`<h1>No such page</h1><p><a href="/">To the first page</a></p>`;
  }
  if (page.route !== route) {
    return html`<p class="loading" role="status">Loading</p>`;
  }
  if (page.failure) {
    return html`<div class="failure" role="alert">
      <p>This page could not be loaded. The server may have another version by now.</p>
      <button type="button" onClick=${() => location.reload()}>Load it anew</button>
    </div>`;
  }
  const values = match(route.pattern, path) ?? {};
  return html`<${Guard} key=${path}><${page.view} ...${values} /><//>`;
}

function Frame() {
  const { path } = address.value;
  const who = identity.value;
  const section = "/" + path.split("/")[1].replace("runs", "pipelines");
  return html`<div onClick=${followLink}>
    <a class="skip" href="#content">Skip to the content</a>
    <header>
      <a class="home" href="/">Sluice</a>
      <nav aria-label="Pages">
        ${ROUTES.filter(({ name }) => name).map(
          ({ pattern, name }) =>
            html`<a href=${pattern} aria-current=${pattern === section ? "page" : undefined}>${name}</a>`,
        )}
      </nav>
      ${who &&
      html`<div class="who">
        <a href="/session">${visible(who.name)}</a>
        <button type="button" onClick=${() => perform(signOut, "Signed out")}>Sign out</button>
      </div>`}
    </header>
    <${Banner} />
    <main id="content" tabindex="-1">
      ${who === undefined ? html`<p class="loading" role="status">Asking the server</p>` : null}
      ${who === null ? html`<${SignIn} />` : null}
      ${who ? html`<${Content} />` : null}
    </main>
    <${Questions} />
    <${Notices} />
  </div>`;
}

function Failed() {
  return html`<div class="failure" role="alert">
    <p>The server does not answer.</p>
    <button type="button" onClick=${() => location.reload()}>Try again</button>
  </div>`;
}

identity.subscribe((who) => {
  if (who) {
    listen();
  }
});

// The script of the page is fetched while the server is asked who the caller is.
ROUTES.find(({ pattern }) => match(pattern, location.pathname))
  ?.load()
  .catch(() => {});

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
render(html`<${Frame} />`, root);
signInByCode()
  .then((refused) => {
    if (refused) {
      notify(refused.message, "bad");
    }
    return askIdentity();
  })
  .catch(() => render(html`<${Failed} />`, root));
