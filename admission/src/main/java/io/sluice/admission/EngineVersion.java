// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

/**
 * Which engine decides. It stands beside each batch, so that a past decision is recomputed by the
 * engine that made it and by no other.
 *
 * <p>It is raised whenever the same state, inputs, time and policy may give other events than
 * before, or events may leave another state: with a new rule, another order among equals, another
 * {@link AdmissionRound#DECISIONS_MAX}. What only makes the same decisions faster leaves it alone.
 */
public final class EngineVersion {
  /**
   * The version of this engine. Version 1 recorded neither its policy nor which inputs a batch had.
   * Since version 6 a head without a prospect is left out until its tree is opened again, as a head
   * that was tried in vain is; version 5 tried it again in the next cycle.
   */
  public static final int CURRENT = 6;

  private EngineVersion() {}
}
