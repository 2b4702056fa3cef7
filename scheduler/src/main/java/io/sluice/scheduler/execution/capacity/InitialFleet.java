// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.store.input.InputWriter;
import java.util.List;
import java.util.function.UnaryOperator;

/** Reports this server's fleet to the engine when it starts to lead. */
public final class InitialFleet implements Runnable {
  private final FleetView view;
  private final UnaryOperator<Fleet> wanted;
  private final InputWriter inputs;

  /**
   * Creates the step.
   *
   * @param wanted returns this server's fleet, given the engine's
   */
  public InitialFleet(FleetView view, UnaryOperator<Fleet> wanted, InputWriter inputs) {
    this.view = view;
    this.wanted = wanted;
    this.inputs = inputs;
  }

  /** Writes an input if the engine has another fleet. */
  @Override
  public void run() {
    Fleet known = (Fleet) view.ask(state -> state.fleet());
    Fleet fleet = wanted.apply(known);
    if (!fleet.equals(known)) {
      inputs.append(List.of(new Input.SetFleet(fleet)));
    }
  }
}
