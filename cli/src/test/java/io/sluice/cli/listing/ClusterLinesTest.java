// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.fleet.FleetOverview;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of the clusters whose nodes are the fleet. */
class ClusterLinesTest {
  /**
   * Returns the lines about a fleet.
   *
   * @param fields of the answer, beside the totals
   */
  private static List<String> lines(String fields) throws JsonProcessingException {
    String answer =
        "{\"executor\":\"local\",\"hosts\":3,\"sliceCount\":{\"all\":0},\"slices\":[]"
            + fields
            + "}";
    FleetOverview fleet =
        JsonRecords.read(new ObjectMapper().readTree(answer), FleetOverview.class, "/v1/fleet");
    return new ClusterLines(Terminal.standard(), Instant.parse("2026-01-01T00:01:00Z")).of(fleet);
  }

  @Test
  void ofAFleetWithoutClustersNothingIsSaid() throws Exception {
    assertThat(lines("")).isEmpty();
  }

  @Test
  void eachClusterIsARowAndWhatIsLeftOutIsNamedWithItsReason() throws Exception {
    List<String> lines =
        lines(
            """
            , "clusters":[{"name":"near","nodes":12},
              {"name":"far","nodes":4,"unreachableSince":"2026-01-01T00:00:00Z",
               "refused":{"far.odd":"unknown topology"},
               "incomplete":{"far.part":"3 of 4 nodes are there"}}],
             "refused":{"far.x":"its name is that of another host"}\
            """);
    assertThat(lines).hasSize(6);
    assertThat(lines.get(1)).contains("near").contains("12").contains("reached");
    assertThat(lines.get(2)).contains("far").contains("UNREACHABLE").contains("60s");
    assertThat(lines.subList(3, 6))
        .containsExactly(
            "far.odd is not in the fleet: unknown topology",
            "far.part is not whole: 3 of 4 nodes are there",
            "far.x is not in the fleet: its name is that of another host");
  }
}
