// SPDX-License-Identifier: Apache-2.0
// Why a caller may not change something here; the server decides.

import { identity, may, whyNot } from "../../shared/session.js";

/** Administrators of teams may write some objects; the server says which. */
export function whyNoEdit() {
  const ofTeam = (identity.value?.roles ?? []).some(({ role }) => role === "team-administrator");
  return !ofTeam && !may("administer") && whyNot("administer") + " or team-administrator";
}

/** @returns {string | false} */
export function whyNoAdministration() {
  return !may("administer") && whyNot("administer");
}

/** Operators of all namespaces may reclaim and return hosts and slices. @returns {string | false} */
export function whyNoFleetChange() {
  const permitted = (identity.value?.roles ?? []).some(
    ({ role, namespaces }) => role === "admin" || (role === "operator" && namespaces.includes("*")),
  );
  return !permitted && "needs the role admin, or operator of all namespaces";
}
