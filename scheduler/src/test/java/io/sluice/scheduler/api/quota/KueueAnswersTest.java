// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.kueue.KueueExport.Exported;
import io.sluice.scheduler.kueue.KueueImport;
import io.sluice.scheduler.kueue.KueuePlan;
import io.sluice.scheduler.kueue.KueueSetup;
import io.sluice.scheduler.kueue.SeenWorkload;
import io.sluice.scheduler.kueue.SeenWorkload.Holding;
import io.sluice.scheduler.kueue.SeenWorkload.Standing;
import io.sluice.scheduler.store.job.UnendedJobs.Unended;
import io.sluice.scheduler.store.quota.StoredObject;
import io.sluice.scheduler.submission.QuotaAdministration.Applied;
import io.sluice.scheduler.submission.QuotaAdministration.Result;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The JSON of imports and exports, as clients read it. */
class KueueAnswersTest {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private static final String AFTER_THE_RESULTS =
      """
      "cluster":"east","version":"v1beta2","controllers":[{"kind":"Deployment",\
      "namespace":"kueue-system","name":"manager","replicas":2}],"webhooks":["hook"],\
      "missing":["cohorts"],"left":[{"kind":"AdmissionCheck","name":"check","reason":"unknown"}],\
      "workloads":{"waiting":1,"held":0,"running":1,"left":0,"first":[{"kind":"Workload",\
      "namespace":"team","name":"runs","owner":"Job/runs","reason":"runs, and ends under Kueue"}],\
      "usage":[{"clusterQueue":"q","flavor":"cpu","resource":"cpu","amount":"1500m"}]\
      """;

  private static ObjectNode object(String json) throws Exception {
    return (ObjectNode) MAPPER.readTree(json);
  }

  private static SeenWorkload workload(String name, Standing standing) {
    return new SeenWorkload(
        "team", name, "Job/" + name, standing, "", null, new SeenWorkload.Usage(new TreeMap<>()));
  }

  private static KueuePlan plan() throws Exception {
    List<KueueSetup.Other> others =
        List.of(new KueueSetup.Other("AdmissionCheck", "", "check", "unknown"));
    KueueSetup setup =
        new KueueSetup(
            "east",
            true,
            "v1beta2",
            List.of(new KueueSetup.Controller("kueue-system", "manager", 2)),
            List.of("hook"),
            List.of(
                object(
                    """
                    {"kind":"ResourceFlavor","metadata":{"name":"cpu"}}\
                    """),
                object(
                    """
                    {"kind":"LocalQueue","metadata":{"name":"main","namespace":"team"}}\
                    """)),
            others,
            List.of("cohorts"),
            List.of(workload("waits", Standing.WAITS), workload("runs", Standing.RUNS)));
    TreeMap<Holding, Long> running = new TreeMap<>();
    running.put(new Holding("q", "cpu", "cpu"), 1500L);
    return new KueuePlan(setup, List.of(), List.of(), others, List.of(), running);
  }

  @Test
  void anImportHasItsResultsAndNumbersOfPlaces() throws Exception {
    ResourceFlavor flavor =
        new ResourceFlavor(ObjectMeta.named("cpu"), Labels.NONE, List.of(), List.of());
    StoredObject stored = new StoredObject(flavor, 1, Instant.EPOCH, Instant.EPOCH);
    KueueImport.Written written =
        new KueueImport.Written(List.of(new Applied(stored, Result.CREATED)), 3, 0);
    assertThat(MAPPER.writeValueAsString(KueueAnswers.taken(plan(), written, null)))
        .isEqualTo(
            "{\"dryRun\":false,\"results\":[{\"kind\":\"ResourceFlavor\",\"name\":\"cpu\","
                + "\"result\":\"created\"}],"
                + AFTER_THE_RESULTS
                + ",\"placed\":3,\"here\":0}}");
  }

  @Test
  void aRefusedDryRunSaysWhichObjectsAreInOrder() throws Exception {
    KueuePlan.Refused refused =
        new KueuePlan.Refused(
            2, "LocalQueue", "team", "main", new Violation(2, "spec", "x", "must be an object"));
    assertThat(MAPPER.writeValueAsString(KueueAnswers.refused(plan(), List.of(refused))))
        .isEqualTo(
            "{\"dryRun\":true,\"results\":[{\"kind\":\"ResourceFlavor\",\"name\":\"cpu\","
                + "\"result\":\"in order\"},{\"kind\":\"LocalQueue\",\"namespace\":\"team\","
                + "\"name\":\"main\",\"result\":\"refused\",\"reason\":"
                + MAPPER.writeValueAsString(
                    new Violation(1, "spec", "x", "must be an object").toString())
                + "}],"
                + AFTER_THE_RESULTS
                + "}}");
  }

  private static Exported.Job job(
      int number, JobState state, @Nullable String cluster, List<ObjectNode> documents) {
    return new Exported.Job(
        new Unended(
            new JobId(new UUID(0x7000, 0x8000_0000_0000_0000L | number)),
            "team",
            "job-" + number,
            "main",
            state,
            cluster,
            null),
        documents);
  }

  @Test
  void anExportedJobIsListedByTheWayInWhichKueueGetsIt() throws Exception {
    Exported exported =
        new Exported(
            List.of(object("{\"kind\":\"Cohort\",\"spec\":{\"b\":1.50,\"a\":[null]}}")),
            List.of(new ObjectKey(ObjectKind.COMPUTE_CLASS, "", "cheap")),
            List.of(
                job(1, JobState.PENDING, "east", List.of()),
                job(2, JobState.PENDING, null, List.of(object("{\"kind\":\"Job\"}"))),
                job(3, JobState.PENDING, null, List.of()),
                job(4, JobState.RUNNING, null, List.of())),
            true);
    String id = "\"00000000-0000-7000-8000-00000000000";
    assertThat(MAPPER.writeValueAsString(KueueAnswers.given(exported)))
        .isEqualTo(
            "{\"objects\":[{\"kind\":\"Cohort\",\"spec\":{\"b\":1.5,\"a\":[null]}}],"
                + "\"ours\":[{\"kind\":\"ComputeClass\",\"name\":\"cheap\"}],"
                + "\"jobs\":{\"complete\":false,\"adopted\":[{\"id\":"
                + id
                + "1\",\"kind\":\"Job\",\"namespace\":\"team\",\"name\":\"job-1\","
                + "\"state\":\"PENDING\",\"cluster\":\"east\"}],\"written\":[{\"id\":"
                + id
                + "2\",\"kind\":\"Job\",\"namespace\":\"team\",\"name\":\"job-2\","
                + "\"state\":\"PENDING\",\"documents\":[{\"kind\":\"Job\"}]}],\"left\":[{\"id\":"
                + id
                + "3\",\"kind\":\"Job\",\"namespace\":\"team\",\"name\":\"job-3\","
                + "\"state\":\"PENDING\","
                + "\"reason\":\"was submitted as a spec of Sluice's\"},{\"id\":"
                + id
                + "4\",\"kind\":\"Job\",\"namespace\":\"team\",\"name\":\"job-4\","
                + "\"state\":\"RUNNING\",\"reason\":\"was admitted\"}]}}");
  }
}
