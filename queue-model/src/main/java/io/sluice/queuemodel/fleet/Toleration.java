// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import org.jspecify.annotations.Nullable;

/**
 * A toleration, as Kubernetes has it.
 *
 * @param key empty with {@link Operator#EXISTS}: every key
 * @param effect null: every effect
 */
public record Toleration(
    String key, Operator operator, String value, Taint.@Nullable Effect effect) {
  /** How the taint's value is compared. */
  public enum Operator {
    EQUAL("Equal"),
    EXISTS("Exists");

    private final String word;

    Operator(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }

  public boolean tolerates(Taint taint) {
    if (effect != null && effect != taint.effect()) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(taint.key())) {
      return false;
    }
    return operator == Operator.EXISTS || (!key.isEmpty() && value.equals(taint.value()));
  }
}
