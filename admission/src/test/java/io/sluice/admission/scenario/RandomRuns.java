// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import java.util.List;
import java.util.UUID;

/** Changes of runs, which come now and then, and by which nothing is decided. */
final class RandomRuns {
  private static final int EDITS_BETWEEN = 11;

  private RandomRuns() {}

  /** Adds a change of a run after some edits of the world; not drawn, so that seeds stay. */
  static void change(int edits, List<Input> inputs) {
    if (edits % EDITS_BETWEEN == 1) {
      Event.RunChanged.Step step = new Event.RunChanged.Step("load", "RUNNING");
      inputs.add(
          new Input.RecordRun(
              new Event.RunChanged(
                  new UUID(0, edits), "team", "nightly", edits, "RUNNING", "", List.of(step))));
    }
  }
}
