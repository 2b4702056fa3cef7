// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.ServerClient.Listing;
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
    Listing listing = new Listing("/v1/" + kinds.plural(), List.of(json), false, List.of());
    return new Tables(Terminal.standard(), NOW).of(kinds, listing).lines();
  }

  @Test
  void anArrayTellsHowManyOfItsIndicesFailed() throws Exception {
    String job =
        "{'apiVersion':'sluice.io/v1','kind':'Job','metadata':{'name':'sweep','namespace':'a'},"
            + "'spec':{'queue':'main'},'id':'x','status':{'state':'RUNNING','clusterQueue':'lab',"
            + "'createdAt':'2026-11-22T11:59:00Z','indices':{'count':8,'ended':5,"
            + "'failedCount':%s,'succeeded':'0-2','failed':''}}}";
    assertThat(lines(Kinds.JOBS, job.formatted("2")).get(1)).contains("RUNNING 5/8, 2 failed");
    assertThat(lines(Kinds.JOBS, job.formatted("0")).get(1)).contains("RUNNING 5/8   ");
  }

  @Test
  void aStoppedQueueShowsItsPolicyAndAmountsHaveTheirUnits() throws Exception {
    String queue =
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue',"
            + "'metadata':{'name':'cpus','creationTimestamp':'2026-11-22T11:59:00Z'},'spec':{"
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

  @Test
  void aSliceShowsItsHolderWhatIsFormedOfItAndItsEnd() throws Exception {
    String held =
        "{'job':'x','index':0,'attempt':1,'generation':1,'name':'sweep','namespace':'a',"
            + "'clusterQueue':'lab','state':'RUNNING','since':'2026-11-22T11:59:00Z','until':null}";
    String slice =
        "{'name':'v6e-0','type':'v6e','topology':'4x4','chips':16,'capacityType':'spot',"
            + "'condition':'LEAVING','hosts':['h'],'leavesAt':'2026-11-22T12:01:00Z'%s}";
    assertThat(lines(Kinds.FLEET, slice.formatted(",'heldBy':" + held)).get(1))
        .contains("sweep", "RUNNING, leaving", "60s", "2026-11-22T12:01:00Z");
    assertThat(lines(Kinds.FLEET, slice.formatted("")).get(1)).contains("leaving").contains(" - ");
    List<String> formed =
        lines(
            Kinds.FLEET,
            slice.formatted(",'formed':[{'name':'v6e-0.a','heldBy':%s}]".formatted(held)));
    assertThat(formed.get(1)).contains("formed, leaving");
    assertThat(formed.get(2)).contains("v6e-0.a", "sweep", "RUNNING").endsWith("-");
  }
}
