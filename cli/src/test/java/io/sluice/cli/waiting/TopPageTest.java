// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.fleet.FleetOverview;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of top. */
class TopPageTest {
  private static final String SLICES =
      """
      [{"name":"a","type":"v6e","topology":"4x4","capacityType":"spot","chips":16,
        "condition":"READY","hosts":[],"heldBy":{"job":"x","index":0,"attempt":1,"generation":1,
         "name":"sweep","namespace":"a","clusterQueue":"lab","state":"RUNNING",
         "since":"2026-11-22T12:00:00Z","until":null}},
       {"name":"b","type":"v6e","topology":"4x4","capacityType":"spot","chips":16,
        "condition":"READY","hosts":[]},
       {"name":"c","type":"v6e","topology":"4x4","capacityType":"spot","chips":16,
        "condition":"ABSENT","hosts":[]},
       {"name":"d","type":"v5e","topology":"2x4","capacityType":"on-demand","chips":8,
        "condition":"READY","hosts":[]}]
      """;
  private static final String QUEUES =
      """
      [{"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
        "metadata":{"name":"research","creationTimestamp":"2026-11-22T12:00:00Z"},
        "status":{"pendingWorkloads":2,"admittedWorkloads":4,
        "flavorsUsage":[{"name":"v6e","resources":[
          {"name":"google.com/tpu","nominal":"32","total":"64","borrowed":"32"},
          {"name":"cpu","nominal":"4","total":"1500m","borrowed":"0"}]}]}},
       {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
        "metadata":{"name":"new","creationTimestamp":"2026-11-22T12:00:00Z"},"status":{}}]
      """;

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  private static Listing listing(String text, boolean more) throws Exception {
    List<JsonNode> items = new ArrayList<>();
    json(text).forEach(items::add);
    return new Listing("/v1/list", items, more, List.of());
  }

  @Test
  void slicesAreCountedByTypeAndQueuesShowTheirUse() throws Exception {
    JsonNode answer =
        json(
            "{\"executor\":\"local\",\"hosts\":18,\"hostsFailed\":1,\"sliceCount\":{\"all\":4},"
                + "\"slices\":[]}");
    FleetOverview fleet = JsonRecords.read(answer, FleetOverview.class, "/v1/fleet");
    List<String> lines =
        new TopPage(Terminal.standard(), Instant.parse("2026-11-22T12:00:00.5Z"))
            .lines(fleet, listing(SLICES, false), listing(QUEUES, true));
    assertThat(lines)
        .containsExactly(
            "2026-11-22T12:00:00Z  4 slices  18 hosts, 1 failed",
            "",
            "TYPE   TOPOLOGY   CAPACITY    SLICES   HELD   FREE   ABSENT   CHIPS",
            "v5e    2x4        on-demand   1        0      1      0        0/8 (0%)",
            "v6e    4x4        spot        3        1      1      1        16/48 (33%)",
            "",
            "CLUSTERQUEUE   PENDING   ADMITTED   FLAVOR   RESOURCE         USED/NOMINAL   BORROWED",
            "research       2         4          v6e      google.com/tpu   64/32          32",
            "                                    v6e      cpu              1.5/4          0",
            "new            -         -          -        -                -              -",
            "There are more ClusterQueues; --limit N shows more.");
  }
}
