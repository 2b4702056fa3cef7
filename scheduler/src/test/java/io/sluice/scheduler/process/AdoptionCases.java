// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.scheduler.kube.ControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests for the admission rules of adoption with the expected answers, sent as dry runs to an
 * API server. Policies and webhook must both pass them.
 */
final class AdoptionCases {
  /** A namespace that has a LocalQueue {@code default}, which Sluice labels. */
  static final String DEFAULTS = "defaults";

  static final String FINALIZER =
      "[{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"test.sluice.io/kept\"]}]";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OURS = "sluice.io/queue-name: main";
  private static final String KUEUES = "kueue.x-k8s.io/queue-name: main";
  private static final String ATTEMPT = OURS + ", sluice.io/job-id: one, sluice.io/attempt: '1'";
  private static final String PODS =
      "{restartPolicy: Never, containers: [{name: main, image: python}]}";
  private static final String GATED = "schedulingGates: [{name: sluice.io/admission}], ";

  /**
   * A creation.
   *
   * @param owner kind of the owner; empty: none
   * @param expected expected result
   */
  private record Creation(
      String name, String kind, String labels, String owner, String spec, String expected) {}

  /**
   * A change.
   *
   * @param owned whether a controller owns it
   * @param patch a merge patch
   * @param expected empty, or the words of the refusal
   */
  private record Change(
      String name, String kind, String labels, boolean owned, String patch, String expected) {}

  private static final String HELD = "suspended";
  private static final String BY_ALICE = ", by alice";
  private static final String LEFT = "as it is";
  private static final String PASSED_ON = "its pods name its queue";
  private static final String BEHIND_GATE = "gates [sluice.io/admission]";

  private static final List<Creation> CREATIONS =
      List.of(
          new Creation("job", "Job", OURS, "", "", HELD + BY_ALICE),
          new Creation("job-of-kueue", "Job", KUEUES, "", "", HELD + BY_ALICE),
          new Creation("job-of-both", "Job", OURS + ", " + KUEUES, "", "", HELD + BY_ALICE),
          new Creation("job-unnamed", "Job", "", "", "", LEFT),
          new Creation("job-of-cron-job", "Job", OURS, "CronJob", "", HELD),
          new Creation("job-of-cron-job-of-kueue", "Job", KUEUES, "CronJob", "", HELD),
          new Creation("job-of-other-controller", "Job", OURS, "Workflow", "", LEFT),
          new Creation("deployment", "Deployment", OURS, "", "", PASSED_ON),
          new Creation("deployment-of-kueue", "Deployment", KUEUES, "", "", PASSED_ON),
          new Creation("deployment-unnamed", "Deployment", "", "", "", LEFT),
          new Creation("stateful-set", "StatefulSet", OURS, "", "", PASSED_ON),
          new Creation("job-of-no-controller", "Job", OURS, "-CronJob", "", HELD + BY_ALICE),
          new Creation("job-as-of-an-attempt", "Job", ATTEMPT, "", "", HELD + BY_ALICE),
          new Creation("set", "JobSet", OURS, "", "", HELD + BY_ALICE),
          new Creation("set-of-pathways", "JobSet", OURS, "PathwaysJob", "", HELD),
          new Creation("set-of-pathways-of-an-attempt", "JobSet", ATTEMPT, "PathwaysJob", "", LEFT),
          new Creation("set-of-train-job", "JobSet", OURS, "TrainJob", "", LEFT),
          new Creation("ray-job", "RayJob", OURS, "", "", HELD + BY_ALICE),
          new Creation("ray-cluster", "RayCluster", KUEUES, "", "", HELD + BY_ALICE),
          new Creation("ray-cluster-of-ray-job", "RayCluster", KUEUES, "RayJob", "", LEFT),
          new Creation("pod", "Pod", OURS, "", "", BEHIND_GATE + BY_ALICE),
          new Creation("pod-of-kueue", "Pod", KUEUES, "", "", BEHIND_GATE + BY_ALICE),
          new Creation("pod-unnamed", "Pod", "", "", "", LEFT),
          new Creation("pod-of-job", "Pod", OURS, "Job", "", LEFT),
          new Creation("pod-of-train-job", "Pod", OURS, "TrainJob", "", LEFT),
          new Creation("pod-of-replica-set", "Pod", OURS, "ReplicaSet", "", BEHIND_GATE),
          new Creation("pod-gated", "Pod", OURS, "", GATED, BEHIND_GATE),
          new Creation("pod-on-a-node", "Pod", OURS, "", "nodeName: batch-0, ", LEFT),
          new Creation(
              "pod-behind-another",
              "Pod",
              OURS,
              "",
              "schedulingGates: [{name: x.org/y}], ",
              "gates [x.org/y, sluice.io/admission]" + BY_ALICE));

  private static final List<Creation> BY_DEFAULT =
      List.of(
          new Creation("job", "Job", "", "", "", HELD + BY_ALICE + " in default"),
          new Creation("job-with-a-label", "Job", "a: b", "", "", HELD + BY_ALICE + " in default"),
          new Creation("job-named", "Job", OURS, "", "", HELD + BY_ALICE),
          new Creation("job-of-cron-job", "Job", "", "CronJob", "", HELD + " in default"),
          new Creation("deployment", "Deployment", "", "", "", LEFT),
          new Creation("set", "JobSet", "", "", "", HELD + BY_ALICE + " in default"),
          new Creation("set-of-pathways", "JobSet", "", "PathwaysJob", "", HELD + " in default"),
          new Creation("ray-job", "RayJob", "", "", "", HELD + BY_ALICE + " in default"),
          new Creation("pod", "Pod", "", "", "", BEHIND_GATE + BY_ALICE + " in default"),
          new Creation("pod-gated", "Pod", "", "", GATED, BEHIND_GATE + BY_ALICE + " in default"),
          new Creation("pod-of-replica-set", "Pod", "", "ReplicaSet", "", LEFT),
          new Creation("pod-named-of-replica-set", "Pod", OURS, "ReplicaSet", "", BEHIND_GATE),
          new Creation("pod-on-a-node", "Pod", "", "", "nodeName: batch-0, ", LEFT));

  private static final String NOT_RESUMED =
      "it names a queue, so Sluice suspends and resumes it (kubectl describe says why it waits)";
  private static final String NOT_CHANGED =
      "it was admitted as it is; delete it and create it anew to change it";
  private static final String NOT_LABELLED = "labels of attempts are Sluice's";
  private static final String RESUME = "{\"spec\":{\"suspend\":false}}";
  private static final String MORE = "{\"spec\":{\"parallelism\":2}}";
  private static final String LABEL = "{\"metadata\":{\"labels\":{\"sluice.io/attempt\":\"7\"}}}";
  private static final String NOTE = "{\"metadata\":{\"annotations\":{\"note\":\"1\"}}}";

  /** A JobSet's jobs as their user wrote them, by image and node selector. */
  private static final String JOBS =
      "spec: {replicatedJobs: [{name: w, template: {spec: {template: {spec: {restartPolicy: Never,"
          + " nodeSelector: {%2$s}, containers: [{name: main, image: %1$s}]}}}}}]}";

  private static final List<Change> CHANGES =
      List.of(
          new Change("resume", "job", OURS, false, RESUME, NOT_RESUMED),
          new Change("resume-of-kueue", "job", KUEUES, false, RESUME, NOT_RESUMED),
          new Change(
              "resume-without-its-label",
              "job",
              OURS,
              false,
              "{\"metadata\":{\"labels\":{\"sluice.io/queue-name\":null}},"
                  + "\"spec\":{\"suspend\":false}}",
              NOT_RESUMED),
          new Change("resume-unnamed", "job", "", false, RESUME, ""),
          new Change("resume-owned", "job", OURS, true, RESUME, ""),
          new Change("edit-while-it-waits", "job", OURS, false, MORE, ""),
          new Change("edit-of-an-attempt", "job", ATTEMPT, false, MORE, NOT_CHANGED),
          new Change("note-of-an-attempt", "job", ATTEMPT, false, NOTE, ""),
          new Change("label-of-an-attempt", "job", ATTEMPT, false, LABEL, NOT_LABELLED),
          new Change("label-while-it-waits", "job", OURS, false, LABEL, NOT_LABELLED),
          new Change(
              "ungate",
              "pod",
              OURS,
              false,
              "{\"spec\":{\"schedulingGates\":[]}}",
              "the gate sluice.io/admission is Sluice's"),
          new Change("note-of-a-pod", "pod", OURS, false, NOTE, ""),
          new Change("reapply", "jobset", ATTEMPT, false, JOBS.formatted("python", "a: b"), ""),
          new Change(
              "reapply-image", "jobset", ATTEMPT, false, JOBS.formatted("go", "a: b"), NOT_CHANGED),
          new Change(
              "reapply-selector",
              "jobset",
              ATTEMPT,
              false,
              JOBS.formatted("python", "a: c"),
              NOT_CHANGED));

  private AdoptionCases() {}

  /** Creates the objects to change, as Sluice's account, to which the rules do not apply. */
  static void prepare(ControlPlane plane) throws IOException {
    plane.kubectl("create", "namespace", DEFAULTS);
    plane.bind(DEFAULTS);
    plane.kubectl("create", "namespace", "changes");
    plane.kubectl("create", "configmap", "owner", "-n", "changes");
    String owner =
        plane.kubectl(
            "get", "configmap", "owner", "-n", "changes", "-o", "jsonpath={.metadata.uid}");
    for (Change change : CHANGES) {
      String references =
          change.owned()
              ? ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: "
                  + owner
                  + ", controller: true}]"
              : "";
      if (change.kind().equals("jobset")) {
        // As admitted: with one more label and selector than its user wrote.
        String spec =
            JOBS.formatted("python", "a: b, pool: p")
                .replace(
                    "{spec: {restart",
                    "{metadata: {labels: {sluice.io/job-id: one}}, spec: {restart");
        plane.apply(
            "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: %s, namespace: changes, labels: {%s}}\n%s\n"
                .formatted(
                    change.name(),
                    change.labels(),
                    spec.replace("spec: {repl", "spec: {suspend: true, repl")));
        continue;
      }
      boolean pod = change.kind().equals("pod");
      plane.apply(
          "apiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: changes, labels: {%s}%s}\nspec: %s\n"
              .formatted(
                  pod ? "v1" : "batch/v1",
                  pod ? "Pod" : "Job",
                  change.name(),
                  change.labels(),
                  references,
                  pod
                      ? PODS.replace("{restart", "{" + GATED + "restart")
                      : "{suspend: true, parallelism: 1, template: {spec: " + PODS + "}}"));
    }
  }

  static void clear(ControlPlane plane) {
    plane.kubectl("delete", "namespace", DEFAULTS, "changes");
  }

  static Map<String, String> expected() {
    Map<String, String> expected = new TreeMap<>();
    CREATIONS.forEach(one -> expected.put("default/" + one.name(), one.expected()));
    BY_DEFAULT.forEach(one -> expected.put(DEFAULTS + "/" + one.name(), one.expected()));
    CHANGES.forEach(one -> expected.put("changes/" + one.name(), one.expected()));
    return expected;
  }

  /** Returns the result of each case for a user other than Sluice. */
  static Map<String, String> answers(ControlPlane plane, KubectlUser user) throws IOException {
    Map<String, String> answers = new TreeMap<>();
    answers.putAll(created(user, "default", CREATIONS));
    plane.await(
        "namespaces",
        "",
        all ->
            created(user, DEFAULTS, BY_DEFAULT.subList(0, 1))
                .containsValue(HELD + BY_ALICE + " in default"));
    answers.putAll(created(user, DEFAULTS, BY_DEFAULT));
    CHANGES.forEach(change -> answers.put("changes/" + change.name(), changed(user, change)));
    return answers;
  }

  private static String changed(KubectlUser user, Change change) {
    List<String> command =
        new ArrayList<>(List.of("patch", change.kind(), change.name(), "-n", "changes"));
    command.addAll(List.of("--type=merge", "--dry-run=server", "-p", change.patch()));
    try {
      user.kubectl(command.toArray(String[]::new));
      return "";
    } catch (AssertionError refused) {
      String said = String.valueOf(refused.getMessage());
      return expectedRefusals().stream()
          .filter(said::contains)
          .findFirst()
          .orElseThrow(() -> new AssertionError(said));
    }
  }

  private static List<String> expectedRefusals() {
    return CHANGES.stream().map(Change::expected).filter(one -> !one.isEmpty()).toList();
  }

  private static Map<String, String> created(
      KubectlUser user, String namespace, List<Creation> creations) {
    StringBuilder manifests = new StringBuilder();
    creations.forEach(one -> manifests.append(manifest(namespace, one)));
    Map<String, String> answers = new TreeMap<>();
    try (MappingIterator<JsonNode> objects =
        JSON.readerFor(JsonNode.class).readValues(user.probeJson(manifests.toString()))) {
      while (objects.hasNext()) {
        JsonNode one = objects.next();
        answers.put(namespace + "/" + one.at("/metadata/name").asText(), said(one));
      }
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
    return answers;
  }

  private static String manifest(String namespace, Creation one) {
    String owner =
        one.owner().isEmpty()
            ? ""
            : ", ownerReferences: [{apiVersion: x/v1, kind: %s, name: o, uid: u-1, controller: %s}]"
                .formatted(one.owner().replace("-", ""), !one.owner().startsWith("-"));
    String template = "{spec: " + PODS + "}";
    String group =
        "{groupName: w, replicas: 1, minReplicas: 1, maxReplicas: 1, rayStartParams: {}, template: "
            + template
            + "}";
    String cluster =
        "{headGroupSpec: {rayStartParams: {}, template: %s}, workerGroupSpecs: [%s]}"
            .formatted(template, group);
    String[] versionAndSpec =
        switch (one.kind()) {
          case "Job" -> new String[] {"batch/v1", "{template: " + template + "}"};
          case "JobSet" ->
              new String[] {
                "jobset.x-k8s.io/v1alpha2",
                "{replicatedJobs: [{name: w, template: {spec: {template: " + template + "}}}]}"
              };
          case "Deployment", "StatefulSet" ->
              new String[] {
                "apps/v1",
                "{selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec:"
                    + " "
                    + PODS.replace("restartPolicy: Never, ", "")
                    + "}}"
              };
          case "RayJob" ->
              new String[] {"ray.io/v1", "{entrypoint: x, rayClusterSpec: " + cluster + "}"};
          case "RayCluster" -> new String[] {"ray.io/v1", cluster};
          default -> new String[] {"v1", PODS.replace("{restart", "{" + one.spec() + "restart")};
        };
    return "---\napiVersion: %s\nkind: %s\nmetadata: {name: %s, namespace: %s, labels: {%s}%s}\nspec: %s\n"
        .formatted(
            versionAndSpec[0],
            one.kind(),
            one.name(),
            namespace,
            one.labels(),
            owner,
            versionAndSpec[1]);
  }

  /** Describes the resulting object. */
  private static String said(JsonNode object) {
    String queue = object.at("/metadata/labels/sluice.io~1queue-name").asText();
    List<String> gates = new ArrayList<>();
    object.at("/spec/schedulingGates").forEach(gate -> gates.add(gate.path("name").asText()));
    String what = LEFT;
    JsonNode labels = object.at("/spec/template/metadata/labels");
    if (List.of("Deployment", "StatefulSet").contains(object.path("kind").asText())
        && List.of("sluice.io/queue-name", "kueue.x-k8s.io/queue-name").stream()
            .anyMatch(key -> labels.path(key).asText().equals("main"))) {
      what = PASSED_ON;
    }
    if (object.at("/spec/suspend").asBoolean()) {
      what = HELD;
    } else if (!gates.isEmpty()) {
      what = "gates " + gates;
    }
    String by = object.at("/metadata/annotations/sluice.io~1submitter").asText();
    if (by.equals(object.path("kind").asText() + "/alice")) {
      what += BY_ALICE;
    } else if (!by.isEmpty()) {
      what += " by " + by;
    }
    return queue.equals("default") ? what + " in default" : what;
  }
}
