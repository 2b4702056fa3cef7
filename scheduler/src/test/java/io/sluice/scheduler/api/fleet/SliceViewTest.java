// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.restmodel.fleet.SliceHolder;
import io.sluice.restmodel.fleet.SliceView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The JSON of a slice, as clients read it. */
class SliceViewTest {
  private static final Instant ADMITTED = Instant.parse("2026-11-23T10:00:00Z");
  private static final Instant ALLOCATED = Instant.parse("2026-11-23T10:05:00.5Z");
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private static SliceHolder holder(@Nullable Instant until) {
    return new SliceHolder(
        "01a1fe82", 0, 1, 2, "sweep", "team", "research", "RUNNING", ADMITTED, until, null);
  }

  private static SliceView slice(
      @Nullable SliceHolder holder, @Nullable List<SliceView.FormedSlice> formed) {
    return new SliceView(
        "v6e-0",
        "v6e",
        "4x4",
        16,
        "reservation",
        null,
        null,
        "READY",
        null,
        null,
        List.of("h-0", "h-1"),
        null,
        holder,
        formed,
        null,
        null);
  }

  @Test
  void aFreeSliceHasNoFieldsOfHolders() throws Exception {
    assertThat(MAPPER.writeValueAsString(slice(null, null)))
        .isEqualTo(
            """
            {"name":"v6e-0","type":"v6e","topology":"4x4","chips":16,"capacityType":"reservation",\
            "condition":"READY","hosts":["h-0","h-1"]}""");
  }

  @Test
  void aHolderWithoutATimeLimitHasNullAsItsEnd() throws Exception {
    SliceHolder holder = holder(null).withSince(ALLOCATED, 2);
    assertThat(MAPPER.writeValueAsString(slice(null, null).withHolders(holder, null)))
        .endsWith(
            """
            "hosts":["h-0","h-1"],"heldBy":{"job":"01a1fe82","index":0,"attempt":1,\
            "generation":2,"name":"sweep","namespace":"team","clusterQueue":"research",\
            "state":"RUNNING","since":"2026-11-23T10:05:00.500Z","until":null,\
            "sinceGeneration":2}}""");
  }

  @Test
  void aSliceIsReadBackAsItWasWritten() throws Exception {
    SliceView slice =
        slice(null, List.of(new SliceView.FormedSlice("v6e-0/2x2", holder(ALLOCATED))));
    assertThat(MAPPER.readValue(MAPPER.writeValueAsString(slice), SliceView.class))
        .isEqualTo(slice);
  }
}
