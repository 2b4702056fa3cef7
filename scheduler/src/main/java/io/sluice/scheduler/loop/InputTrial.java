// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.input.SetAsideInputs;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds the input that makes rounds fail, so that only this input is set aside and the leader
 * continues. After a failure the next round runs without inputs: if that fails too, no input is at
 * fault. Otherwise the inputs of the failed round are consumed one by one. An input that fails a
 * second time, alone, is set aside.
 *
 * <p>Used by the decision loop's thread.
 */
final class InputTrial {
  /**
   * Maximum number of faulty inputs in a row; beyond it, the engine or the database is at fault.
   */
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

  /** Maximum number of inputs for the next round. */
  int most(int wanted) {
    if (withoutInputs) {
      withoutInputs = false;
      return 0;
    }
    return suspects.isEmpty() ? wanted : Math.min(1, wanted);
  }

  /** Called when a batch that consumed these inputs is durable. */
  void consumed(List<Long> inputs) {
    suspects.removeAll(inputs);
    if (!inputs.isEmpty()) {
      faulty = 0;
    }
  }

  /**
   * Called when a round failed.
   *
   * @param inputs that it consumed
   * @return whether the failure was narrowed down, so that another round is worth trying
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
