// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LabelsTest {
  private static final Labels ZONE_A = Labels.of(Map.of("zone", "a", "pool", "x"));

  @Test
  void theyContainWhatHasTheSameValue() {
    assertThat(ZONE_A.containsAll(Labels.of(Map.of("zone", "a")))).isTrue();
    assertThat(ZONE_A.containsAll(Labels.NONE)).isTrue();
    assertThat(ZONE_A.containsAll(Labels.of(Map.of("zone", "b")))).isFalse();
    assertThat(ZONE_A.containsAll(Labels.of(Map.of("rack", "a")))).isFalse();
    assertThat(Labels.NONE.containsAll(ZONE_A)).isFalse();
  }

  @Test
  void theOthersValueWinsWhereBothHaveTheKey() {
    assertThat(ZONE_A.with(Labels.of(Map.of("zone", "b", "rack", "1"))))
        .hasToString("{pool=x, rack=1, zone=b}");
    assertThat(ZONE_A.get("zone")).isEqualTo("a");
  }

  @Test
  void laterChangesOfTheSourceAreNotSeen() {
    TreeMap<String, String> source = new TreeMap<>(Map.of("a", "b"));
    Labels labels = Labels.of(source);
    source.put("c", "d");
    assertThat(labels.get("c")).isNull();
    assertThat(labels).isEqualTo(Labels.of(Map.of("a", "b")));
  }
}
