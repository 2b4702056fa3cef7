// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.input.SetAsideInputs;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds the input with which rounds fail, so that it alone is set aside and the leader goes on.
 * After a failure a round is decided without inputs: if that fails too, no input is at fault. Else
 * the inputs of the round that failed are consumed one by one. One that fails a second time, alone,
 * is set aside.
 *
 * <p>Used by the decision loop's thread.
 */
final class InputTrial {
  /** How many inputs in a row may be found at fault; with more, the engine or the database is. */
  static final int FAULTY_MAX = 30;

  private final SetAsideInputs setAside;
  private final TreeSet<Long> suspects = new TreeSet<>();
  private int faulty;
  private boolean withoutInputs;

  InputTrial(SetAsideInputs setAside) {
    this.setAside = setAside;
  }

  SetAsideInputs setAside() {
    return setAside;
  }

  /** How many inputs the next round may consume, of those that it could. */
  int most(int wanted) {
    if (withoutInputs) {
      withoutInputs = false;
      return 0;
    }
    return suspects.isEmpty() ? wanted : Math.min(1, wanted);
  }

  /** A batch that consumed these is durable. */
  void consumed(List<Long> inputs) {
    suspects.removeAll(inputs);
    if (!inputs.isEmpty()) {
      faulty = 0;
    }
  }

  /**
   * A round failed.
   *
   * @param inputs that it consumed
   * @return whether the failure has been narrowed down, so that it is worth going on
   */
  boolean failed(List<Long> inputs, String reason) {
    boolean again = !suspects.addAll(inputs);
    boolean mayBeSetAside =
        inputs.size() == 1 && faulty < FAULTY_MAX && setAside.size() < SetAsideInputs.SIZE_MAX;
    if (again && !mayBeSetAside) {
      suspects.clear();
      return false;
    }
    withoutInputs = true;
    if (again) {
      faulty++;
      suspects.removeAll(inputs);
      setAside.add(inputs.get(0), "", "a round with it fails: " + reason);
    }
    return true;
  }
}
