// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The columns of -o wide. */
class WideColumnsTest {
  private static List<String> wide(Kinds kinds, String item) throws Exception {
    JsonNode json = new ObjectMapper().readTree(item.replace('\'', '"'));
    Instant now = Instant.parse("2026-11-22T12:00:00Z");
    Listing listing = new Listing("/v1/" + kinds.plural(), List.of(json), false, List.of());
    TextTable table = new Tables(Terminal.standard(), now).of(kinds, listing);
    WideColumns.add(kinds, listing, table);
    return table.lines();
  }

  @Test
  void aJobHasItsIdItsClusterQueueAndItsSlices() throws Exception {
    String job =
        "{'apiVersion':'sluice.io/v1','kind':'Job',"
            + "'metadata':{'name':'sweep','namespace':'a','labels':{'model':'tiny'}},'id':'x-1',"
            + "'spec':{'queue':'main','accelerator':{'type':'v6e','topology':'4x4',"
            + "'slices':{'min':1,'max':4}}},'status':{'state':'RUNNING','clusterQueue':'lab',"
            + "'createdAt':'2026-11-22T11:59:00Z','attempts':2}}";
    List<String> lines = wide(Kinds.JOBS, job);
    assertThat(lines.get(0)).endsWith("ID    CLUSTERQUEUE   ATTEMPTS   SLICES         LABELS");
    assertThat(lines.get(1)).endsWith("x-1   lab            2          1..4 v6e:4x4   model=tiny");
  }

  @Test
  void aKindWithoutMoreColumnsIsAsInItsTable() throws Exception {
    String cohort =
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Cohort',"
            + "'metadata':{'name':'lab','creationTimestamp':'2026-11-22T11:59:00Z'}}";
    assertThat(wide(Kinds.COHORTS, cohort))
        .containsExactly("NAME   PARENT   AGE", "lab    -        60s");
  }
}
