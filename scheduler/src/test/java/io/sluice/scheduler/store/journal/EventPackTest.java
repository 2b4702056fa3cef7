// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.JournalRow;
import io.sluice.scheduler.store.RowPack;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventPackTest {
  private static final JobId JOB =
      new JobId(UUID.fromString("01890000-0000-7000-8000-000000000001"));
  private static final Event PROGRESS =
      new Event.AttemptProgressed(new AttemptKey(JOB, 0, 1), "step 1");

  @Test
  void eventsAreReadBackByTheirKinds() {
    List<JournalRow> rows = RowPack.read(EventPack.write(List.of(PROGRESS, PROGRESS)));
    assertThat(rows).hasSize(2);
    assertThat(rows).extracting(JournalRow::job).containsOnly(JOB);
    assertThat(EventKinds.read(rows.get(1).kind(), rows.get(1).body())).isEqualTo(PROGRESS);
  }

  @Test
  void eventsOfSlicesAndSingleEventsHaveRowsOfTheirOwn() {
    assertThat(EventPack.isFor(List.of(PROGRESS, PROGRESS))).isTrue();
    assertThat(EventPack.isFor(List.of(PROGRESS))).isFalse();
    assertThat(EventPack.isFor(List.of())).isFalse();
    assertThat(EventPack.isFor(List.of(PROGRESS, new SliceEvent.SliceReturned("s")))).isFalse();
  }
}
