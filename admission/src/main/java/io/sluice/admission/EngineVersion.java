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
   * Of this engine. Those before it wrote down neither their policy nor which inputs a batch had.
   */
  public static final int CURRENT = 5;

  private EngineVersion() {}
}
