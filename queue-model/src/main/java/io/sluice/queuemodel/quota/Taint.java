// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

/** A taint on the nodes of a flavor. */
public record Taint(String key, String value, Effect effect) {
  /** What becomes of pods that do not tolerate the taint. */
  public enum Effect {
    NO_SCHEDULE,
    PREFER_NO_SCHEDULE,
    NO_EXECUTE
  }

  /** Whether pods without a toleration must stay away; a preference alone does not keep them. */
  public boolean repels() {
    return effect != Effect.PREFER_NO_SCHEDULE;
  }
}
