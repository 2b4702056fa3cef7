// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.job.JobId;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowPackTest {
  private static final JobId JOB =
      new JobId(UUID.fromString("01890000-0000-7000-8000-000000000001"));

  /** The end of the compressed bytes: the mark of their end, and the checksum. */
  private static final int END_BYTES = 8;

  private static List<JournalRow> rows(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            at -> new JournalRow("Report", at % 2 == 0 ? JOB : null, "{\"in\":\"Zürich " + at))
        .toList();
  }

  @Test
  void whatWasPackedIsReadBack() {
    assertThat(RowPack.read(RowPack.write(rows(3)))).isEqualTo(rows(3));
    assertThat(RowPack.read(RowPack.write(List.of()))).isEmpty();
  }

  @Test
  void manyRowsTakeLittleRoom() {
    byte[] pack = RowPack.write(rows(1_000));
    assertThat(pack.length).isLessThan(20_000);
    assertThat(RowPack.read(pack)).isEqualTo(rows(1_000));
  }

  @Test
  void damagedPacksAreRefused() {
    byte[] pack = RowPack.write(rows(20));
    for (int length = 0; length < pack.length - END_BYTES; length++) {
      byte[] cut = Arrays.copyOf(pack, length);
      assertThatThrownBy(() -> RowPack.read(cut)).isInstanceOf(StoreException.class);
    }
    byte[] newer = pack.clone();
    newer[0] = 2;
    assertThatThrownBy(() -> RowPack.read(newer))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a form that this version does not know");
  }
}
