// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.SliceEvent;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventPackTest {
  private static final JobId JOB =
      new JobId(UUID.fromString("01890000-0000-7000-8000-000000000001"));
  private static final AttemptKey ATTEMPT = new AttemptKey(JOB, 0, 1);

  /** The end of the compressed bytes: the mark of their end, and the checksum. */
  private static final int CHECKSUM_BYTES = 8;

  private static List<Event> events(int count) {
    return IntStream.range(0, count)
        .<Event>mapToObj(at -> new Event.AttemptProgressed(ATTEMPT, "Zürich " + at))
        .toList();
  }

  @Test
  void whatWasPackedIsReadBack() {
    List<EventPack.Packed> read = EventPack.read(EventPack.write(events(3)));
    assertThat(read)
        .extracting(EventPack.Packed::kind)
        .containsExactly("AttemptProgressed", "AttemptProgressed", "AttemptProgressed");
    assertThat(read).extracting(EventPack.Packed::job).containsOnly(JOB.value());
    assertThat(read.get(2).body()).contains("Zürich 2");
    assertThat(EventKinds.read(read.get(1).kind(), read.get(1).body())).isEqualTo(events(3).get(1));
  }

  @Test
  void manyEventsTakeLittleRoom() {
    byte[] pack = EventPack.write(events(1_000));
    assertThat(pack.length).isLessThan(20_000);
    assertThat(EventPack.read(pack)).hasSize(1_000);
  }

  @Test
  void damagedPacksAreRefused() {
    byte[] pack = EventPack.write(events(20));
    for (int length = 0; length < pack.length; length++) {
      byte[] cut = Arrays.copyOf(pack, length);
      // Without its last bytes, which are a checksum, a pack may still be whole.
      if (length < pack.length - CHECKSUM_BYTES) {
        assertThatThrownBy(() -> EventPack.read(cut)).isInstanceOf(StoreException.class);
      }
    }
    byte[] newer = pack.clone();
    newer[0] = 2;
    assertThatThrownBy(() -> EventPack.read(newer))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a form that this version does not know");
  }

  @Test
  void eventsOfSlicesAndSingleEventsHaveRowsOfTheirOwn() {
    assertThat(EventPack.isFor(events(2))).isTrue();
    assertThat(EventPack.isFor(events(1))).isFalse();
    assertThat(EventPack.isFor(List.of())).isFalse();
    Event ofSlice = new SliceEvent.SliceReturned("s");
    assertThat(EventPack.isFor(List.of(events(1).get(0), ofSlice))).isFalse();
  }
}
