// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

/**
 * Version of the decision rules. Each batch records it, so that only the engine that made a past
 * decision recomputes it.
 *
 * <p>Raise it whenever the same state, inputs, time and policy may give other events, or events may
 * give another state: for a new rule, another order among equals, another {@link
 * AdmissionRound#DECISIONS_MAX}. A change that only affects speed leaves it alone.
 */
public final class EngineVersion {
  /**
   * The version of this engine. Version 1 recorded neither its policy nor the inputs of a batch.
   * Since version 6, a head without a prospect is left out until its tree opens again, like a head
   * that was tried in vain; version 5 tried it again in the next cycle. Since version 7, blocked
   * jobs of planned queues get planned starts. Since version 8, those without a time follow the
   * order of their queue. Since version 9, pending jobs of planned queues are ranked by their time
   * limits, planned queues choose victims by cost, attempts have a minimum run time, and bookings
   * and outages bind admissions. Since version 10, a head claims room that no planned start needs
   * until the job has ended after the deadline of its claim, if there is such room, and planned
   * starts are checked before preemptible work is drained late for them.
   */
  public static final int CURRENT = 10;

  private EngineVersion() {}
}
