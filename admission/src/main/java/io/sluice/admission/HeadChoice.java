// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

/** How a cycle of a round finds the heads that take part in it. */
interface HeadChoice {
  /**
   * Finds them in the present state.
   *
   * @return at most one of each queue; none if nothing can come of any that is yet to be tried
   */
  Entrants choose(Decisions decisions, Nomination nomination);
}
