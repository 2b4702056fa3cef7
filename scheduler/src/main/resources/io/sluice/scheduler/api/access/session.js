// SPDX-License-Identifier: Apache-2.0
// Shows who is signed in. The page itself is the same for everybody and needs no cookie.

/** @param {string} id */
const element = (id) => document.getElementById(id);

/** @param {string} text */
function state(text) {
  element("state").textContent = text;
}

async function show() {
  const answer = await fetch("/v1/whoami");
  const body = await answer.json();
  const known = answer.ok;
  element("facts").hidden = !known;
  element("sign-out").hidden = !known || !body.session;
  element("sign-in").hidden = known || !(await hasProvider());
  if (!known) {
    state("Nobody is signed in. " + body.detail);
    return;
  }
  state("Signed in.");
  element("name").textContent = body.name;
  element("groups").textContent = body.groups.join(", ") || "none";
  element("roles").textContent =
    body.roles.map((held) => held.role + " (" + held.namespaces.join(", ") + ")").join("; ") ||
    "none: quota and fleet can be read";
  element("until").textContent = new Date(body.expiresAt).toLocaleString();
}

async function hasProvider() {
  const answer = await fetch("/v1/sign-in");
  return answer.ok && Boolean((await answer.json()).issuer);
}

async function signOut() {
  const answer = await fetch("/session", { method: "DELETE" });
  if (!answer.ok) {
    state("The server did not sign out: " + (await answer.json()).detail);
    return;
  }
  await show();
}

element("sign-out").addEventListener("click", () => signOut().catch((failure) => state(String(failure))));
show().catch((failure) => state("The server does not answer: " + failure));
