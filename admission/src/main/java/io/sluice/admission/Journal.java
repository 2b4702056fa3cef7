// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.record.Changes;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import java.time.Instant;
import java.util.List;

/** Port: the source of inputs and the durable log of batches. */
public interface Journal {
  /**
   * Reads the next inputs in order of arrival. None was returned before.
   *
   * @param most maximum number to return
   */
  List<Received> read(int most);

  /** Appends a batch after those before it. Returns without waiting until it is durable. */
  void append(Batch batch);

  /** Returns the batches that have become durable since the last call, in order. */
  List<Batch> takeCommitted();

  /** An input with its number in the journal. */
  record Received(long id, Input input) {}

  /**
   * The inputs and events of one round. It becomes durable as a whole or not at all.
   *
   * @param sequence one more than that of the previous batch
   * @param now time of the round
   * @param inputs numbers of the consumed inputs
   * @param changes state of the jobs and attempts that the events changed
   */
  record Batch(long sequence, Instant now, List<Long> inputs, List<Event> events, Changes changes) {
    public Batch {
      inputs = List.copyOf(inputs);
      events = List.copyOf(events);
    }
  }
}
