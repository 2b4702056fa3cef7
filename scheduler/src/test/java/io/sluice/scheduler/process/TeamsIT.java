// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.process.Caller.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Teams on a server: their administrators divide quota, and cannot enlarge it. */
class TeamsIT {
  private static final String TREE =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: lab}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: vision}
      spec: {parentName: lab}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: Cohort
      metadata: {name: robotics}
      spec: {parentName: lab}
      """;
  private static final String PRIORITIES =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: urgent}
      value: 1000
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: WorkloadPriorityClass
      metadata: {name: usual}
      value: 50
      """;

  private static final String BINDING =
      """
      apiVersion: sluice.io/v1
      kind: RoleBinding
      metadata: {name: all}
      spec: {role: admin, users: [ann]}
      """;

  private static OneServer server;
  private static Caller owner;
  private static Caller ann;
  private static Caller rob;
  private static Caller sam;

  @BeforeAll
  static void start() throws Exception {
    server = OneServer.start();
    owner = server.caller();
    ann = caller("ann");
    rob = caller("rob");
    sam = caller("sam");
    owner.post("/v1/apply", PRIORITIES).is(200);
  }

  @AfterAll
  static void end() throws Exception {
    server.close();
  }

  private static Caller caller(String name) throws Exception {
    String body = "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(name);
    return owner.as(owner.post("/v1/tokens", body).is(201).at("/token"));
  }

  private static String queue(String name, String cohort, int cores, String limits, String more) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: %s}
    spec:
      cohortName: %s
      namespaceSelector: {}
      resourceGroups:
      - coveredResources: [cpu]
        flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: %d%s}]}]
    %s
    """
        .formatted(name, cohort, cores, limits, more.isEmpty() ? "" : "  " + more);
  }

  private static String queue(String name, String cohort, int cores) {
    return queue(name, cohort, cores, ", borrowingLimit: 0", "");
  }

  private static String local(String namespace, String name, String queue) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: %s, namespace: %s}
    spec: {clusterQueue: %s}
    """
        .formatted(name, namespace, queue);
  }

  private static String team(String name, String administrator, String more) {
    return """
    apiVersion: sluice.io/v1
    kind: Team
    metadata: {name: %1$s}
    spec:
      namespaces: [%1$s]
      cohort: %1$s
      members:
      - {user: %2$s, role: administrator}
      - {user: sam, role: submitter}
      ceilings: {priority: 100}
    %3$s
    """
        .formatted(name, administrator, more);
  }

  private static String all(String... documents) {
    return String.join("---\n", documents);
  }

  /** Two teams, each with a queue of 4 cores that borrows nothing. */
  @BeforeEach
  void makeTeams() throws Exception {
    for (String namespace : List.of("vision", "robotics")) {
      for (String name : List.of("main", "more")) {
        owner.delete("/v1/localqueues/" + namespace + "/" + name);
      }
    }
    for (String name : List.of("vision-main", "vision-dev", "robotics-main", "free")) {
      owner.delete("/v1/clusterqueues/" + name);
    }
    owner.delete("/v1/cohorts/vision-inner");
    String made =
        all(
            TREE,
            queue("vision-main", "vision", 4),
            queue("robotics-main", "robotics", 4),
            local("vision", "main", "vision-main"),
            local("robotics", "main", "robotics-main"),
            team("vision", "ann", ""),
            team("robotics", "rob", ""));
    owner.post("/v1/apply", made).is(200);
    for (Caller member : List.of(ann, sam)) {
      member.await("/v1/jobs?namespace=vision", reply -> reply.status() == 200);
    }
    rob.await("/v1/jobs?namespace=robotics", reply -> reply.status() == 200);
  }

  private static String refused(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(403);
    return reply.at("/detail");
  }

  @Test
  void anAdministratorDividesTheQuotaOfTheTeamInOneApply() throws Exception {
    String divided =
        all(
            queue("vision-main", "vision", 1),
            queue("vision-dev", "vision", 3),
            local("vision", "more", "vision-dev"));
    Reply previewed = ann.post("/v1/apply?dryRun=true", divided).is(200);
    assertThat(previewed.each("/results", "result"))
        .containsExactly("configured", "created", "created");
    ann.get("/v1/clusterqueues/vision-dev").is(404);
    ann.post("/v1/apply", divided).is(200);
    ann.post("/v1/apply", divided).is(200);
    assertThat(owner.get("/v1/clusterqueues/vision-main").text())
        .contains("\"nominalQuota\":\"1\"");
    Reply audit = owner.get("/v1/audit?kind=ClusterQueue&name=vision-dev&limit=1").is(200);
    assertThat(audit.at("/items/0/caller")).isEqualTo("ann");
    String small = queue("vision-dev", "vision", 0);
    ann.put("/v1/clusterqueues/vision-dev", small).is(200);
    // What the team gave up it can take back.
    ann.put("/v1/clusterqueues/vision-dev", queue("vision-dev", "vision", 3)).is(200);
    ann.delete("/v1/localqueues/vision/more").is(204);
    ann.delete("/v1/clusterqueues/vision-dev").is(204);
  }

  /** Edits that give the team more than it has, with words of their refusals. */
  private static String[][] amounts(String more) {
    return new String[][] {
      {more, "nominal quota", "would be 5", "entitled to 4"},
      {queue("vision-dev", "vision", 1), "nominal quota", "would be 5"},
      {queue("vision-main", "vision", 4, "", ""), "borrowingLimit", "any amount"},
      {
        queue("vision-main", "vision", 4, ", borrowingLimit: 0, lendingLimit: 1", ""),
        "keeps from others",
        "would be 3"
      },
    };
  }

  /** Edits that give a queue policies above the ceilings. */
  private static String[][] ceilings() {
    return new String[][] {
      {
        queue(
            "vision-main",
            "vision",
            4,
            ", borrowingLimit: 0",
            "preemption: {reclaimWithinCohort: Any}"),
        "reclaimWithinCohort Any",
        "ceiling Never"
      },
      {
        queue("vision-main", "vision", 4)
            .replace(
                "{name: vision-main}",
                "{name: vision-main, annotations: {sluice.io/min-run-time: 1h}}"),
        "minRunTime",
        "ceiling"
      },
      {
        queue("vision-main", "vision", 4)
            .replace(
                "{name: vision-main}",
                "{name: vision-main, annotations: {sluice.io/queueing: planned, sluice.io/planned-depth: \"99\"}}"),
        "planned starts",
        "99"
      },
    };
  }

  /** Edits of what is not the team's, and moves. */
  private static String[][] places() {
    return new String[][] {
      {queue("vision-main", "lab", 4), "ClusterQueue vision-main"},
      {queue("robotics-main", "vision", 0), "ClusterQueue robotics-main"},
      {queue("robotics-main", "robotics", 1), "ClusterQueue robotics-main"},
      {queue("free", "lab", 0), "ClusterQueue free"},
      {TREE.replace("{parentName: lab}", "{}"), "Cohort vision"},
      {local("robotics", "more", "robotics-main"), "LocalQueue robotics/more"},
      {local("vision", "more", "robotics-main"), "leads to", "robotics-main"},
      {local("vision", "more", "cpus"), "leads to", "cpus"},
      {
        team("vision", "ann", "    reclaimWithinCohort: Any")
            .replace("ceilings: {priority: 100}", "ceilings:"),
        "Team vision"
      },
      {"apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: own}\n", "own"},
      {BINDING, "RoleBinding all"},
    };
  }

  @Test
  void noFormOfOverreachSucceeds() throws Exception {
    String more = queue("vision-main", "vision", 5);
    List<String[]> tries = new ArrayList<>(List.of(amounts(more)));
    tries.addAll(List.of(ceilings()));
    tries.addAll(List.of(places()));
    long before = changes();
    for (String[] one : tries) {
      for (String query : List.of("?dryRun=true", "")) {
        assertThat(refused(ann.post("/v1/apply" + query, one[0])))
            .contains("ann, a team-administrator")
            .contains(List.of(one).subList(1, one.length));
      }
    }
    refused(ann.put("/v1/clusterqueues/vision-main", more));
    refused(ann.put("/v1/clusterqueues/vision-main?dryRun=true", more));
    refused(ann.post("/v1/clusterqueues", queue("vision-dev", "vision", 1)));
    refused(ann.delete("/v1/clusterqueues/robotics-main"));
    refused(ann.delete("/v1/localqueues/robotics/main"));
    refused(ann.delete("/v1/cohorts/vision"));
    refused(ann.delete("/v1/teams/vision"));
    refused(sam.post("/v1/apply", more));
    refused(sam.put("/v1/clusterqueues/vision-main", more));
    refused(ann.post("/v1/kueue/import", ""));
    assertThat(changes()).isEqualTo(before);
    owner.await("/v1/audit?kind=Request&caller=ann", reply -> reply.text().contains("may not"));
  }

  private static long changes() throws Exception {
    return server.count("audit WHERE action <> 'deny'");
  }

  @Test
  void ofTwoEditsAtOnceThatTogetherTakeTooMuchOneSucceeds() throws Exception {
    owner.post("/v1/apply", queue("vision-dev", "vision", 4)).is(200);
    String both = all(queue("vision-main", "vision", 3), queue("vision-dev", "vision", 3));
    ann.post("/v1/apply", both).is(200);
    // 6 of 8: each of the edits takes the 2 that are left.
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Callable<Integer>> edits = new ArrayList<>();
      for (String name : List.of("vision-main", "vision-dev")) {
        edits.add(() -> ann.put("/v1/clusterqueues/" + name, queue(name, "vision", 5)).status());
      }
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> one : threads.invokeAll(edits)) {
        statuses.add(one.get());
      }
      assertThat(statuses).containsExactlyInAnyOrder(200, 403);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anInnerCohortIsPartOfTheTeam() throws Exception {
    String inner =
        TREE.substring(0, TREE.indexOf("---"))
            .replace("{name: lab}", "{name: vision-inner}\nspec: {parentName: vision}");
    ann.post("/v1/apply", all(inner, queue("vision-main", "vision-inner", 4))).is(200);
    assertThat(
            refused(
                ann.put(
                    "/v1/cohorts/vision-inner",
                    inner.replace("parentName: vision", "parentName: lab"))))
        .contains("Cohort vision-inner");
    ann.put("/v1/clusterqueues/vision-main", queue("vision-main", "vision", 4)).is(200);
    ann.delete("/v1/cohorts/vision-inner").is(204);
  }

  @Test
  void membersHaveTheirRolesInTheNamespacesOfTheirTeams() throws Exception {
    String job = job("vision", "usual");
    String id = sam.submit(job);
    assertThat(ann.get("/v1/jobs/" + id).is(200).at("/status/submittedBy")).isEqualTo("sam");
    rob.get("/v1/jobs/" + id).is(404);
    rob.get("/v1/jobs?namespace=vision").is(403);
    rob.post("/v1/jobs", job).is(403);
    assertThat(rob.get("/v1/jobs").is(200).each("/items", "id")).doesNotContain(id);
    Reply counted = owner.get("/v1/jobs/counts?by=team&namespace=vision").is(200);
    assertThat(counted.text()).contains("vision");
    assertThat(ann.get("/v1/teams").is(200).text()).contains("robotics");
    // Out of the team, out of its namespaces.
    owner
        .put("/v1/teams/vision", team("vision", "eve", "").replace("user: sam", "user: eve"))
        .is(200);
    sam.await("/v1/jobs?namespace=vision", reply -> reply.status() == 403);
    refused(ann.put("/v1/clusterqueues/vision-main", queue("vision-main", "vision", 3)));
  }

  @Test
  void whoMayDoWhatIsSaidBeforeItIsTried() throws Exception {
    assertThat(may(sam, "verb=submit&kind=job&namespace=vision")).isEqualTo("true");
    assertThat(may(sam, "verb=submit&kind=jobs&namespace=robotics")).isEqualTo("true");
    assertThat(may(rob, "verb=submit&kind=jobs&namespace=vision")).isEqualTo("false");
    assertThat(may(rob, "verb=list&kind=jobs")).isEqualTo("false");
    assertThat(may(rob, "verb=update&kind=clusterqueues")).isEqualTo("true");
    assertThat(may(rob, "verb=update&kind=resourceflavors")).isEqualTo("false");
    assertThat(may(sam, "verb=update&kind=clusterqueues")).isEqualTo("false");
    assertThat(may(owner, "verb=cancel&kind=jobs&namespace=vision&as=rob")).isEqualTo("false");
    assertThat(may(owner, "verb=cancel&kind=jobs&namespace=vision&as=ann")).isEqualTo("true");
    assertThat(may(owner, "verb=hold&kind=jobs&namespace=vision&as=zoe&group=leads"))
        .isEqualTo("false");
    owner
        .put("/v1/teams/vision", team("vision", "ann", "").replace("user: sam", "group: leads"))
        .is(200);
    owner.await(
        "/v1/permission?verb=hold&kind=jobs&namespace=vision&as=zoe&group=leads",
        reply -> reply.at("/allowed").equals("true"));
    refused(rob.get("/v1/permission?verb=submit&kind=jobs&as=ann"));
    assertThat(owner.get("/v1/permission?verb=fly&kind=jobs").is(400).text())
        .contains("there is no verb fly for jobs: one of apply, cancel");
    owner.get("/v1/permission?verb=get&kind=birds").is(400);
    owner.get("/v1/permission?verb=get").is(400);
    rob.get("/v1/permission?verb=get&kind=jobs&group=leads").is(400);
  }

  private static String may(Caller caller, String question) throws Exception {
    return caller.get("/v1/permission?" + question).is(200).at("/allowed");
  }

  private static String job(String namespace, String priority) {
    return """
    apiVersion: sluice.io/v1
    kind: Job
    metadata: {name: work, namespace: %s}
    spec:
      queue: main
      priorityClass: %s
      requests: {cpu: 1}
      command: ["true"]
    """
        .formatted(namespace, priority);
  }

  @Test
  void theCeilingsOfATeamBindItsJobs() throws Exception {
    Reply refused = sam.post("/v1/jobs", job("vision", "urgent")).is(422);
    assertThat(refused.at("/detail")).contains("at most 100", "it is 1000", "team vision");
    owner.post("/v1/jobs", job("vision", "urgent")).is(422);
    owner.post("/v1/apply", queue("vision-main", "vision", 0)).is(200);
    String id = sam.submit(job("vision", "usual"));
    String urgent = "/v1/jobs/" + id + "/prioritize?class=urgent";
    assertThat(sam.post(urgent, "").is(422).at("/detail")).contains("team vision");
    owner.post(urgent, "").is(202);
    owner.cancel(id);
  }

  @Test
  void teamsOverlapInNothing() throws Exception {
    String third = team("third", "ann", "").replace("namespaces: [third]", "namespaces: [%s]");
    String[][] tries = {
      {third.formatted("vision").replace("cohort: third", ""), "namespace of team vision"},
      {third.formatted("x").replace("cohort: third", "cohort: vision"), "root of team vision"},
      {third.formatted("x").replace("cohort: third", "cohort: lab"), "below that of team third"},
      {
        third.formatted("x").replace("cohort: third", "clusterQueue: vision-main"),
        "below that of team vision"
      },
      {
        TREE.substring(TREE.lastIndexOf("---") + 4)
            .replace("parentName: lab", "parentName: vision"),
        "puts the root of team robotics"
      },
      {third.formatted("x").replace("cohort: third", "cohort: nowhere"), "no such Cohort"},
      {
        local("vision", "more", "vision-main")
            .replace("namespace: vision}", "namespace: vision, labels: {sluice.io/team: other}}"),
        "must be vision"
      },
    };
    for (String[] one : tries) {
      Reply refused = owner.post("/v1/apply", one[0]).is(422);
      assertThat(refused.at("/detail")).as(one[0]).contains(one[1]);
    }
    assertThat(owner.delete("/v1/cohorts/vision").is(409).at("/detail")).contains("Team vision");
    String labelled =
        local("unowned", "main", "cpus")
            .replace("namespace: unowned}", "namespace: unowned, labels: {sluice.io/team: other}}");
    owner.post("/v1/apply", labelled).is(200);
    String over = third.formatted("unowned").replace("cohort: third", "");
    Reply named = owner.post("/v1/apply", over).is(422);
    assertThat(named.at("/detail")).contains("LocalQueue unowned/main (other)");
    owner.delete("/v1/localqueues/unowned/main").is(204);
  }

  @Test
  void aRoleBindingGivesItsRoleWhileItIsThere() throws Exception {
    Caller eve = caller("eve");
    String binding =
        """
        apiVersion: sluice.io/v1
        kind: RoleBinding
        metadata: {name: on-call}
        spec: {role: operator, namespaces: [vision], users: [eve], priorityCeiling: 60}
        """;
    owner.post("/v1/apply", queue("vision-main", "vision", 0)).is(200);
    String id = sam.submit(job("vision", "usual"));
    eve.get("/v1/jobs/" + id).is(404);
    owner.post("/v1/rolebindings", binding).is(201);
    eve.await("/v1/jobs/" + id, reply -> reply.status() == 200);
    String high = "/v1/jobs/" + id + "/prioritize?class=high";
    assertThat(refused(eve.post(high, ""))).contains("at most 60");
    eve.post("/v1/jobs", job("vision", "usual")).is(403);
    eve.post("/v1/jobs/" + id + "/cancel", "").is(202);
    owner.delete("/v1/rolebindings/on-call").is(204);
    eve.await("/v1/jobs/" + id, reply -> reply.status() == 404);
  }
}
