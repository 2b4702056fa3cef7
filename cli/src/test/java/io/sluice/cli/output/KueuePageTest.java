// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.client.JsonRecords;
import io.sluice.restmodel.quota.KueueExported;
import io.sluice.restmodel.quota.KueueImported;
import org.junit.jupiter.api.Test;

class KueuePageTest {
  private static final String WORKLOADS =
      """
      "workloads": {"waiting": 3, "held": 1, "running": 1, "left": 1, "here": 2,
        "first": [
          {"kind": "Workload", "namespace": "team", "name": "w", "owner": "Pod/p", "reason": "no"},
          {"kind": "Workload", "namespace": "team", "name": "r", "owner": "Job/r",
           "reason": "runs, and ends under Kueue"}],
        "usage": [{"clusterQueue": "q", "flavor": "cpu", "resource": "cpu", "amount": "1500m"}]}\
      """;

  private static final String REST =
      "\"results\": [], \"cluster\": \"near\", \"version\": \"v1beta2\", \"missing\": [], \"left\":"
          + " []";

  /** Reads the answer to an import; fields may replace the empty lists of Kueue's parts. */
  private static KueueImported answer(String fields) throws JsonProcessingException {
    String none = fields.contains("webhooks") ? "" : "\"controllers\": [], \"webhooks\": [], ";
    String json = "{" + fields + ", " + none + REST + ", " + WORKLOADS + "}";
    return JsonRecords.read(
        new ObjectMapper().readTree(json), KueueImported.class, "/v1/kueue/import");
  }

  private static String importLines(String fields) throws JsonProcessingException {
    return String.join("\n", KueuePage.importLines(answer(fields)));
  }

  @Test
  void whatIsToBeDoneNextIsSaidInItsOrderWhileKueueIsAtWork() throws Exception {
    String lines =
        importLines(
            """
            "dryRun": false,
            "controllers": [{"kind": "Deployment", "namespace": "kueue-system", "name": "manager",
              "replicas": 1}],
            "webhooks": ["mutatingwebhookconfigurations/kueue"]\
            """);
    assertThat(lines)
        .contains("Now: kubectl scale -n kueue-system deployment/manager --replicas=0")
        .contains("Then: kubectl delete mutatingwebhookconfigurations/kueue");
    assertThat(lines.indexOf("scale")).isLessThan(lines.indexOf("delete"));
    assertThat(lines).doesNotContain("taken in within seconds");
  }

  @Test
  void webhooksThatNobodyAnswersAreWarnedOf() throws Exception {
    String lines =
        importLines(
            """
            "dryRun": false, "controllers": [], "webhooks": ["mutatingwebhookconfigurations/kueue"]\
            """);
    assertThat(lines)
        .contains("no object can be changed while nobody answers them")
        .contains("is taken in within seconds");
  }

  @Test
  void whatRunsUnderKueueIsShownWithItsAmounts() throws Exception {
    assertThat(importLines("\"dryRun\": true"))
        .contains("3 waiting, 1 held, 1 running, 1 not taken; 2 of them are jobs here already")
        .contains("workload/team/w of Pod/p: no")
        .contains("q: cpu of flavor cpu, 1.5")
        .doesNotContain("Job/r");
  }

  @Test
  void anExportSaysOfEachJobWhatBecomesOfIt() throws Exception {
    JsonNode json =
        new ObjectMapper()
            .readTree(
                """
                {"objects": [], "ours": [{"kind": "ComputeClass", "name": "best"}],
                 "jobs": {"complete": false,
                  "adopted": [
                    {"kind": "Job", "namespace": "team", "name": "a", "id": "3",
                     "state": "PENDING"},
                    {"kind": "Job", "namespace": "team", "name": "b", "id": "2",
                     "state": "RUNNING"}],
                  "written": [
                    {"kind": "Job", "namespace": "team", "name": "c", "id": "4",
                     "state": "PENDING"}],
                  "left": [{"kind": "Job", "namespace": "team", "name": "d", "id": "1",
                    "state": "RUNNING", "reason": "was admitted"}]}}\
                """);
    KueueExported answer = JsonRecords.read(json, KueueExported.class, "/v1/kueue/export");
    assertThat(KueuePage.exportLines(answer, 4, false))
        .containsExactly(
            "4 manifests for Kueue.",
            "computeclass/best is not written: Kueue has no ComputeClass.",
            "1 pending jobs are objects of clusters: Kueue has them as soon as it is at work.",
            "1 admitted jobs are objects of clusters: let them end, or hold their queues and drain"
                + " them, before Kueue is at work.",
            "1 pending jobs were submitted here as manifests: --jobs writes them.",
            "job/team/d (1) is not written: it was admitted.",
            "There are more jobs than are told of here.");
    assertThat(KueuePage.exportLines(answer, 4, true).get(4))
        .endsWith("cancel them before you apply the file.");
  }
}
