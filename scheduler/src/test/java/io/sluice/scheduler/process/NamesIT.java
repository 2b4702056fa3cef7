// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static io.sluice.scheduler.process.OneServer.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Names of jobs and other objects, resolved by the server within the rights of the caller. */
class NamesIT {
  private static final String OTHER_QUEUE =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: main, namespace: other}
      spec: {clusterQueue: cpus}
      """;
  private static final String PIPELINE =
      """
      apiVersion: sluice.io/v1
      kind: Pipeline
      metadata: {name: nightly, namespace: %s}
      spec:
        schedules: [{name: daily, cron: "0 2 * * *"}]
        steps: [{name: one, job: {spec: {queue: main, requests: {cpu: 1}, command: ["true"]}}}]
      """;

  private static OneServer server;
  private static Caller owner;
  private static Caller submitter;
  private static Caller viewer;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    owner = server.caller();
    submitter = owner.as(OneServer.token("submitter"));
    viewer = owner.as(OneServer.token("viewer"));
    owner.post("/v1/apply", OTHER_QUEUE).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static String held(String name, String namespace) throws Exception {
    return owner.submit(
        job(name, 1, "true")
            .replace("namespace: team", "namespace: " + namespace)
            .replace("spec: {", "spec: {hold: true, "));
  }

  private static String ended(String name, String namespace) throws Exception {
    String id =
        owner.submit(job(name, 1, "true").replace("namespace: team", "namespace: " + namespace));
    owner.awaitState(id, "SUCCEEDED");
    return id;
  }

  private static Reply resolve(Caller who, String query) throws Exception {
    return who.get("/v1/names/job?name=" + query);
  }

  @Test
  void aNameThatTwoNamespacesHaveIsRefusedWithTheCandidates() throws Exception {
    String here = held("twice", "team");
    String there = held("twice", "other");

    Reply refused = resolve(owner, "twice&purpose=change").is(409);
    assertThat(refused.header("Content-Type")).contains("application/problem+json");
    assertThat(refused.at("/title")).isEqualTo("Ambiguous name");
    assertThat(refused.at("/code")).isEqualTo("ambiguous-name");
    assertThat(refused.at("/detail")).contains("2 live jobs are named twice", "namespace", "id");
    assertThat(refused.each("/candidates", "id")).containsExactlyInAnyOrder(here, there);
    assertThat(refused.each("/candidates", "namespace")).containsExactly("other", "team");
    assertThat(refused.each("/candidates", "state")).hasSize(2).doesNotContain("");
    assertThat(refused.json().at("/more").asBoolean()).isFalse();
    resolve(owner, "twice").is(409);
    assertThat(resolve(viewer, "twice").is(200).at("/id")).isEqualTo(here);

    assertThat(resolve(owner, "twice&namespace=other").is(200).at("/id")).isEqualTo(there);
    assertThat(resolve(owner, "team/twice&purpose=change").is(200).at("/id")).isEqualTo(here);
    assertThat(resolve(owner, here + "&purpose=change").is(200).at("/namespace")).isEqualTo("team");
    resolve(owner, here + "&namespace=other").is(404);
    resolve(owner, "team/twice&namespace=other").is(400);
  }

  @Test
  void withoutANamespaceACallerMeansThoseThatItMayRead() throws Exception {
    String here = held("shared", "team");
    held("shared", "other");
    String foreign = held("foreign", "other");

    assertThat(resolve(submitter, "shared&purpose=change").is(200).at("/id")).isEqualTo(here);
    assertThat(resolve(submitter, "shared").is(200).at("/id")).isEqualTo(here);
    assertThat(resolve(submitter, "foreign&purpose=change").is(404).at("/detail"))
        .contains("no job foreign", "a-submitter", "team");
    resolve(submitter, "other/foreign&purpose=change").is(403);
    assertThat(resolve(submitter, "foreign").is(404).at("/detail")).contains("team");
    resolve(submitter, "other/foreign").is(403);
    resolve(submitter, foreign).is(404);
    resolve(viewer, "foreign&purpose=change").is(404);
  }

  @Test
  void aLiveJobIsMeantByAChangeAndTheNewestByAQuestion() throws Exception {
    String live = held("again", "team");
    String newest = ended("again", "team");

    assertThat(resolve(owner, "again&purpose=change").is(200).at("/id")).isEqualTo(live);
    Reply read = resolve(owner, "again").is(200);
    assertThat(read.at("/id")).isEqualTo(newest);
    assertThat(read.at("/otherLiveJobs")).isEqualTo("1");

    String second = held("again", "team");
    Reply refused = resolve(owner, "again&purpose=change").is(409);
    assertThat(refused.each("/candidates", "id")).containsExactlyInAnyOrder(live, second);
    owner.cancel(live);
    owner.cancel(second);
    assertThat(resolve(owner, "again&purpose=change").is(200).at("/id")).isEqualTo(second);
  }

  @Test
  void candidatesAreBounded() throws Exception {
    StringBuilder many = new StringBuilder();
    for (int number = 0; number < 30; number++) {
      many.append("---\n").append(job("many", 1, "true").replace("spec: {", "spec: {hold: true, "));
    }
    owner.post("/v1/jobs/bulk", many.toString()).is(201);
    Reply refused = resolve(owner, "many&purpose=change").is(409);
    assertThat(refused.json().at("/candidates")).hasSize(20);
    assertThat(refused.json().at("/more").asBoolean()).isTrue();
    assertThat(refused.at("/detail")).contains("more than 20");
    assertThat(resolve(submitter, "many&purpose=change").is(409).json().at("/candidates"))
        .hasSize(20);
  }

  @Test
  void pipelinesSchedulesRunsAndLocalQueuesAreResolvedAlike() throws Exception {
    owner.post("/v1/apply", PIPELINE.formatted("team")).is(200);
    assertThat(owner.get("/v1/names/pipeline?name=nightly").is(200).at("/namespace"))
        .isEqualTo("team");
    owner.post("/v1/pipelines/team/nightly/runs", "").is(201);
    assertThat(owner.get("/v1/names/run?name=nightly-1").is(200).at("/namespace"))
        .isEqualTo("team");
    owner.get("/v1/names/run?name=nightly-2").is(404);
    owner.get("/v1/names/run?name=nightly").is(404);

    owner.post("/v1/apply", PIPELINE.formatted("other")).is(200);
    owner.post("/v1/pipelines/other/nightly/runs", "").is(201);
    for (String name :
        new String[] {
          "pipeline?name=nightly",
          "schedule?name=nightly/daily",
          "run?name=nightly-1",
          "localqueue?name=main"
        }) {
      Reply refused = owner.get("/v1/names/" + name).is(409);
      assertThat(refused.each("/candidates", "namespace")).containsExactly("other", "team");
      submitter.get("/v1/names/" + name + "&purpose=change").is(200);
      owner.get("/v1/names/" + name + "&namespace=other").is(200);
    }
    owner.get("/v1/names/schedule?name=other/nightly/daily").is(200);
    owner.get("/v1/names/schedule?name=nightly").is(400);
    owner.get("/v1/names/slice?name=v6e-0").is(404);
    owner.get("/v1/names/job").is(400);
  }
}
