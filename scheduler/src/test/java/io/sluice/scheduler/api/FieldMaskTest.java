// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.restmodel.Page;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which fields of an answer remain. */
class FieldMaskTest {
  private static final Page<Thing> PAGE =
      new Page<>(
          List.of(
              new Thing("a", new Place("north", 1), Map.of("cpu", "4", "memory", "8Gi")),
              new Thing("b", null, Map.of())),
          "next");

  record Place(String region, int number) {}

  record Thing(String name, @Nullable Place place, Map<String, String> amounts) {}

  private static String select(String fields) {
    return FieldMask.of(fields).apply(PAGE, new ObjectMapper()).toString();
  }

  @Test
  void aPathGoesThroughEachElementOfAList() {
    assertThat(select("items.name")).isEqualTo("{\"items\":[{\"name\":\"a\"},{\"name\":\"b\"}]}");
  }

  @Test
  void aPathToAnObjectMeansAllOfIt() {
    String all = "{\"items\":[{\"place\":{\"region\":\"north\",\"number\":1}},{}]}";
    assertThat(select("items.place")).isEqualTo(all);
    assertThat(select("items.place.number,items.place")).isEqualTo(all);
    assertThat(select("items.place,items.place.number")).isEqualTo(all);
  }

  @Test
  void keysOfAMapMayBeAbsent() {
    assertThat(select("nextCursor,items.amounts.cpu"))
        .isEqualTo(
            "{\"items\":[{\"amounts\":{\"cpu\":\"4\"}},{\"amounts\":{}}],\"nextCursor\":\"next\"}");
  }

  @Test
  void aFieldThatTheAnswerDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> select("items.nmae"))
        .hasMessage("items.nmae is not a field of the answer; allowed there: amounts, name, place");
    assertThatThrownBy(() -> select("items.name.first"))
        .hasMessage("items.name.first is not a field of the answer; items.name has no fields");
  }

  @Test
  void pathsAreBounded() {
    assertThatThrownBy(() -> FieldMask.of("a" + ",a".repeat(100)))
        .hasMessage("fields has 101 paths, and at most 100 are allowed");
    assertThatThrownBy(() -> FieldMask.of("a" + ".a".repeat(10)))
        .hasMessageStartingWith("fields must have at most 10 names in a path");
    for (String malformed : List.of("", "a,", "a..b", ".a", " ")) {
      assertThatThrownBy(() -> FieldMask.of(malformed))
          .as(malformed)
          .hasMessageStartingWith("fields must be names such as items.id");
    }
  }
}
