// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.output.Terminal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables of what a server answers. */
class TablesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static List<String> lines(Kinds kinds, String item) throws Exception {
    JsonNode json = new ObjectMapper().readTree(item.replace('\'', '"'));
    return new Tables(Terminal.standard(), NOW).of(kinds, List.of(json)).lines();
  }

  @Test
  void anArrayTellsHowManyOfItsIndicesFailed() throws Exception {
    String job =
        "{'metadata':{'name':'sweep','namespace':'a'},'spec':{'queue':'main'},'status':{'state':"
            + "'RUNNING','createdAt':'2026-11-22T11:59:00Z','indices':{'count':8,'ended':5,"
            + "'failedCount':%s}}}";
    assertThat(lines(Kinds.JOBS, job.formatted("2")).get(1)).contains("RUNNING 5/8, 2 failed");
    assertThat(lines(Kinds.JOBS, job.formatted("0")).get(1)).contains("RUNNING 5/8   ");
  }

  @Test
  void aStoppedQueueShowsItsPolicyAndAmountsHaveTheirUnits() throws Exception {
    String queue =
        "{'metadata':{'name':'cpus','creationTimestamp':'2026-11-22T11:59:00Z'},'spec':{"
            + "'stopPolicy':'HoldAndDrain'},'status':{'pendingWorkloads':1,'admittedWorkloads':0,"
            + "'flavorsUsage':[{'name':'any','resources':[{'name':'cpu','total':'1500m','nominal':'4',"
            + "'borrowed':'0'},{'name':'memory','total':'1000000000','nominal':'1Ti',"
            + "'borrowed':'0'}]}]}}";
    assertThat(lines(Kinds.CLUSTER_QUEUES, queue).get(0)).contains("STOP POLICY");
    assertThat(lines(Kinds.CLUSTER_QUEUES, queue).get(1))
        .contains("HoldAndDrain", "1.5/4 any cpu, 953.67Mi/1Ti any memory");
    String open = queue.replace("'stopPolicy':'HoldAndDrain'", "");
    assertThat(lines(Kinds.CLUSTER_QUEUES, open).get(1)).doesNotContain("None");
  }
}
