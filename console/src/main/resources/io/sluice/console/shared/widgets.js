// SPDX-License-Identifier: Apache-2.0
// Parts that several pages are made of.

import { Component } from "preact";
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.js";
import { distance, moment, serverNow, visible, words } from "./text.js";
import { useTick } from "./live.js";

/** @typedef {import("preact").ComponentChildren} Children */

/** The look of each state of jobs, attempts, runs and slices; style.css has a colour for each. */
/** @type {Record<string, string>} */
const TONES = {
  SUBMITTED: "waiting",
  PENDING: "waiting",
  QUEUED: "waiting",
  ADMITTED: "starting",
  RUNNING: "running",
  DRAINING: "draining",
  LEAVING: "draining",
  SUCCEEDED: "good",
  READY: "good",
  ENDED: "neutral",
  CANCELLED: "neutral",
  SKIPPED: "neutral",
  ABSENT: "neutral",
  FAILED: "bad",
};

/**
 * Returns the name of a state's colour.
 * @param {string} state
 */
export function tone(state) {
  return TONES[state] ?? "neutral";
}

/** @param {{state: string}} properties */
export function State({ state }) {
  return html`<span class="state ${tone(state)}">${words(state)}</span>`;
}

/**
 * A time as its distance from now; the whole time is its title.
 * @param {{at: string | undefined | null}} properties
 */
export function When({ at }) {
  useTick(at && Math.abs(Date.parse(at) - serverNow()) < 120_000 ? 1000 : 15_000);
  return at ? html`<time datetime=${at} title=${moment(at)}>${distance(at)}</time>` : null;
}

/**
 * The reason why something failed.
 * @param {{failure: Error | undefined, retry?: () => void}} properties
 */
export function Failure({ failure, retry }) {
  if (!failure) {
    return null;
  }
  const problem = /** @type {import("./api.js").Problem} */ (failure);
  const violations = problem.violations ?? [];
  return html`<div class="failure" role="alert">
    <p>${problem.title ? html`<strong>${problem.title}: </strong>` : null}${visible(problem.message)}</p>
    ${violations.length > 1 &&
    html`<ul>
      ${violations.map(({ path, message }) => html`<li><code>${visible(path)}</code> ${visible(message)}</li>`)}
    </ul>`}
    ${problem.page && html`<p><a href=${problem.page} target="_blank">What it means</a></p>`}
    ${retry && html`<button type="button" onClick=${retry}>Try again</button>`}
  </div>`;
}

/**
 * Shows the content of a live answer, or that it is awaited, or why there is none. Old data stays
 * when a later request fails.
 * @template T
 * @param {{of: import("./live.js").Live<T>, children: (data: T) => Children}} properties
 */
export function Loaded({ of, children }) {
  return html`<${Failure} failure=${of.failure} retry=${of.reload} />
    ${of.data !== undefined
      ? children(of.data)
      : of.failure
        ? null
        : html`<p class="loading" role="status">Loading</p>`}`;
}

/** @param {{children: Children}} properties */
export function Empty({ children }) {
  return html`<p class="empty">${children}</p>`;
}

/**
 * A button that its caller may not be permitted to use: the reason is its title, and is read out.
 * @param {{onClick: () => void, refused?: string | false, kind?: string, children: Children, [more: string]: unknown}} properties
 */
export function Action({ onClick, refused, kind = "", children, ...more }) {
  return html`<button
    type="button"
    class=${kind}
    aria-disabled=${refused ? "true" : undefined}
    title=${refused || undefined}
    onClick=${refused ? () => notify(String(refused), "bad") : onClick}
    ...${more}
  >
    ${children}
  </button>`;
}

/**
 * Links that select a view of a page.
 * @param {{views: Record<string, string>, current: string, href: (view: string) => string, label: string}} properties
 */
export function Tabs({ views, current, href, label }) {
  return html`<nav class="tabs" aria-label=${label}>
    ${Object.entries(views).map(
      ([view, name]) =>
        html`<a href=${href(view)} aria-current=${view === current ? "page" : undefined}>${name}</a>`,
    )}
  </nav>`;
}

/**
 * Names and values, one below the other. Entries without a value are left out.
 * @param {{facts: [string, Children][]}} properties
 */
export function Facts({ facts }) {
  return html`<dl class="facts">
    ${facts
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/**
 * A table that scrolls in itself on a narrow screen.
 * @param {{caption: string, head: Children[], children: Children, kind?: string}} properties
 */
export function Table({ caption, head, children, kind = "" }) {
  return html`<div class="scroll" role="region" aria-label=${caption} tabindex="0">
    <table class=${kind}>
      <caption class="unseen">${caption}</caption>
      <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${children}</tbody>
    </table>
  </div>`;
}

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {Children} [text]
 * @property {string} [confirm] name of the button
 * @property {Field[]} [fields]
 * @property {boolean} [danger]
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {string[]} [choices]
 * @property {string} [value]
 * @property {boolean} [required]
 */

const question = signal(
  /** @type {(Question & {answer: (values: Record<string, string> | undefined) => void}) | undefined} */ (
    undefined
  ),
);

/**
 * Asks the user, and returns the values of the fields; undefined if the user declines.
 * @param {Question} asked
 * @returns {Promise<Record<string, string> | undefined>}
 */
export function ask(asked) {
  return new Promise((resolve) => {
    question.value = {
      ...asked,
      answer: (values) => {
        question.value = undefined;
        resolve(values);
      },
    };
  });
}

/** The place of questions; the frame of all pages has one. */
export function Questions() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const asked = question.value;
  useEffect(() => {
    if (asked) {
      dialog.current?.showModal();
    }
  }, [asked]);
  if (!asked) {
    return null;
  }
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    asked.answer(
      Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])),
    );
  };
  return html`<dialog ref=${dialog} aria-labelledby="question" onCancel=${() => asked.answer(undefined)}>
    <form onSubmit=${submit}>
      <h2 id="question">${asked.title}</h2>
      ${asked.text && html`<div>${asked.text}</div>`}
      ${(asked.fields ?? []).map(
        ({ name, label, choices, value, required = true }) =>
          html`<label
            >${label}
            ${choices
              ? html`<select name=${name}>
                  ${choices.map((choice) => html`<option selected=${choice === value}>${choice}</option>`)}
                </select>`
              : html`<input name=${name} value=${value ?? ""} required=${required} />`}</label
          >`,
      )}
      <p class="buttons">
        <button type="button" onClick=${() => asked.answer(undefined)}>Close</button>
        <button class=${asked.danger ? "danger" : "primary"}>${asked.confirm ?? "OK"}</button>
      </p>
    </form>
  </dialog>`;
}

/** Messages that are shown at once. A message that is shown already is not repeated. */
const NOTICES_MAX = 4;
const NOTICE_MILLIS = 8000;
const notices = signal(/** @type {{id: number, text: string, tone: string}[]} */ ([]));
let lastNotice = 0;

/**
 * Tells the user something in passing.
 * @param {string} text
 * @param {"good" | "bad"} [tone]
 */
export function notify(text, tone = "good") {
  const id = ++lastNotice;
  notices.value = [...notices.value.filter((one) => one.text !== text), { id, text, tone }].slice(
    -NOTICES_MAX,
  );
  setTimeout(() => {
    notices.value = notices.value.filter((one) => one.id !== id);
  }, NOTICE_MILLIS);
}

/** The place of messages; the frame of all pages has one. */
export function Notices() {
  return html`<div class="notices" role="status" aria-live="polite">
    ${notices.value.map((one) => html`<p key=${one.id} class=${one.tone}>${visible(one.text)}</p>`)}
  </div>`;
}

/**
 * Runs an action of the user and tells how it went.
 * @param {() => Promise<unknown>} action
 * @param {string} done told after a success
 */
export async function perform(action, done) {
  try {
    await action();
    notify(done);
    return true;
  } catch (failure) {
    notify(/** @type {Error} */ (failure).message, "bad");
    return false;
  }
}

/**
 * Copies a text to the clipboard and tells how it went.
 * @param {string} text
 */
export function copy(text) {
  return navigator.clipboard.writeText(text).then(
    () => notify("Copied"),
    () => notify("The browser refuses to copy", "bad"),
  );
}

/** Keeps a fault of one part from emptying the page. */
export class Guard extends Component {
  /** @param {any} properties */
  constructor(properties) {
    super(properties);
    this.state = { failure: undefined };
  }

  /** @param {unknown} failure */
  static getDerivedStateFromError(failure) {
    return { failure };
  }

  render() {
    const { failure } = /** @type {{failure?: Error}} */ (this.state);
    return failure
      ? html`<div class="failure" role="alert">
          <p><strong>This page has a fault: </strong>${visible(String(failure.message ?? failure))}</p>
          <button type="button" onClick=${() => location.reload()}>Load the page anew</button>
        </div>`
      : /** @type {any} */ (this.props).children;
  }
}

/**
 * A text field that reports what is written when the user pauses.
 * @param {{label: string, value: string, onValue: (value: string) => void, type?: string, list?: string}} properties
 */
export function TextFilter({ label, value, onValue, type = "search", list }) {
  const [text, setText] = useState(value);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  useEffect(() => setText(value), [value]);
  return html`<label class="filter"
    >${label}
    <input
      type=${type}
      list=${list}
      value=${text}
      onInput=${(/** @type {InputEvent} */ event) => {
        const typed = /** @type {HTMLInputElement} */ (event.target).value;
        setText(typed);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onValue(typed.trim()), 300);
      }}
  /></label>`;
}

/**
 * @param {{label: string, value: string, choices: (string | [string, string])[], onValue: (value: string) => void}} properties
 */
export function Choice({ label, value, choices, onValue }) {
  return html`<label class="filter"
    >${label}
    <select
      value=${value}
      onChange=${(/** @type {Event} */ event) =>
        onValue(/** @type {HTMLSelectElement} */ (event.target).value)}
    >
      ${choices.map((choice) => {
        const [id, name] = typeof choice === "string" ? [choice, choice] : choice;
        return html`<option value=${id} selected=${id === value}>${name}</option>`;
      })}
    </select></label
  >`;
}
