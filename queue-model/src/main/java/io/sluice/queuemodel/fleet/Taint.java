// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

/** A taint on the nodes of a flavor. */
public record Taint(String key, String value, Effect effect) {
  /** What becomes of pods that do not tolerate the taint. */
  public enum Effect {
    NO_SCHEDULE("NoSchedule"),
    PREFER_NO_SCHEDULE("PreferNoSchedule"),
    NO_EXECUTE("NoExecute");

    private final String word;

    Effect(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }

  /** Whether pods without a toleration must stay away; a preference alone does not keep them. */
  public boolean repels() {
    return effect != Effect.PREFER_NO_SCHEDULE;
  }
}
