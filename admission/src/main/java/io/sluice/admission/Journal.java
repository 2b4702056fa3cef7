// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.state.record.Changes;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import java.time.Instant;
import java.util.List;

/** Port: where inputs come from and where batches become durable. */
public interface Journal {
  /**
   * The next inputs in the order of their arrival, none of which was returned before.
   *
   * @param most how many to return at most
   */
  List<Received> read(int most);

  /** Begins to make a batch durable, after those before it. Returns without waiting. */
  void append(Batch batch);

  /** Batches that have become durable since this was last asked, in their order. */
  List<Batch> takeCommitted();

  /** An input, and by which number it is known to the journal. */
  record Received(long id, Input input) {}

  /**
   * What one round consumed and decided; it becomes durable whole or not at all.
   *
   * @param sequence one more than that of the batch before
   * @param now time of the round
   * @param inputs numbers of the inputs that it consumed
   * @param changes what the events made of the jobs and attempts that they touched
   */
  record Batch(long sequence, Instant now, List<Long> inputs, List<Event> events, Changes changes) {
    public Batch {
      inputs = List.copyOf(inputs);
      events = List.copyOf(events);
    }
  }
}
