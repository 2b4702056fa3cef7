// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.journal.EventRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored journal. Its methods block. */
interface EventSource {
  /**
   * The first events after a place, up to the end of a batch.
   *
   * @param job whose events alone are read; null: all
   */
  List<JournalEvent> read(EventId after, long lastSequence, @Nullable JobId job, int most);

  /** The sequence of the oldest batch that is stored; 0 if there is none. */
  long firstSequence();

  /** The sequence of the last batch that is stored; 0 if there is none. */
  long lastSequence();

  /** The journal in the database. */
  static EventSource of(EventRows rows) {
    return new EventSource() {
      @Override
      public List<JournalEvent> read(
          EventId after, long lastSequence, @Nullable JobId job, int most) {
        EventRows.Window window =
            new EventRows.Window(after.sequence(), after.position(), lastSequence, job);
        return rows.read(window, most).stream().map(JournalEvent::of).toList();
      }

      @Override
      public long firstSequence() {
        return rows.firstSequence();
      }

      @Override
      public long lastSequence() {
        return rows.lastSequence();
      }
    };
  }
}
