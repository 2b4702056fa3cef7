// SPDX-License-Identifier: Apache-2.0
// The caller of this browser, and what its roles permit.

import { signal } from "@preact/signals";
import { get, send, whenUnauthorized } from "./api.js";

/**
 * @typedef {object} Identity
 * @property {string} name
 * @property {string[]} groups
 * @property {{role: string, namespaces: string[]}[]} roles
 * @property {object} [session]
 * @property {string} [expiresAt]
 */

/** Undefined until the server has answered; null: nobody is signed in, or no longer. */
export const identity = signal(/** @type {Identity | null | undefined} */ (undefined));

/** Changes when another caller signs in, and also when the same one does again. */
export const signedInAs = signal("");

let signIns = 0;

whenUnauthorized(() => {
  identity.value = null;
});

/** Asks the server who is signed in. */
export async function askIdentity() {
  try {
    identity.value = await get("/v1/whoami");
    signedInAs.value = identity.value?.name + " " + ++signIns;
  } catch (failure) {
    if (identity.value !== null) {
      throw failure;
    }
  }
}

/**
 * @param {string} token
 * @throws {import("./api.js").Problem} the token is refused
 */
export async function signIn(token) {
  await send("POST", "/session", { headers: { Authorization: "Bearer " + token } });
  await askIdentity();
}

/**
 * Takes the code of `sluice open` out of the address, and exchanges it for a session.
 * @returns {Promise<Error | undefined>} the reason why it was refused
 */
export async function signInByCode() {
  const match = /^#code=([A-Za-z0-9_-]+)$/.exec(location.hash);
  if (!match) {
    return undefined;
  }
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await send("PUT", "/session/code", { headers: { "Sluice-Sign-In-Code": match[1] } });
    return undefined;
  } catch (failure) {
    return /** @type {Error} */ (failure);
  }
}

export async function signOut() {
  await send("DELETE", "/session");
  identity.value = null;
}

/** @type {Record<string, string[]>} */
const PERMITTED = {
  submit: ["submitter", "team-administrator", "admin"],
  operate: ["submitter", "operator", "team-administrator", "admin"],
  administer: ["admin"],
  audit: ["auditor", "admin"],
};

/**
 * Says whether the caller's roles permit something. The server decides; this only greys out what it
 * would refuse.
 * @param {"submit" | "operate" | "administer" | "audit"} right
 * @param {string} [namespace]
 */
export function may(right, namespace) {
  return (identity.value?.roles ?? []).some(
    ({ role, namespaces }) =>
      PERMITTED[right].includes(role) &&
      (namespace === undefined || namespaces.includes("*") || namespaces.includes(namespace)),
  );
}

/**
 * Returns the reason why {@link may} is false.
 * @param {"submit" | "operate" | "administer" | "audit"} right
 * @param {string} [namespace]
 */
export function whyNot(right, namespace) {
  const roles = PERMITTED[right].filter((role) => role !== "team-administrator").join(" or ");
  return "needs the role " + roles + (namespace === undefined ? "" : " in " + namespace);
}
