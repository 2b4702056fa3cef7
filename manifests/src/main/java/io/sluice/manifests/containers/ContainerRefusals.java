// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.PodSetPlace;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.SecretKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The reasons why containers of a job cannot run as processes of a machine. */
public final class ContainerRefusals {
  static final String SECRET = "/valueFrom/secretKeyRef";
  private static final int FOUND_MAX = 20;

  /** Folders that each machine has, so that an empty volume need not be mounted there. */
  private static final Set<String> SCRATCH = Set.of("/tmp", "/var/tmp", "/dev/shm");

  private final ForeignJob job;
  private final int number;
  private final JsonNode document;
  private final PodTemplates templates;
  private final List<Violation> found = new ArrayList<>();

  private ContainerRefusals(ForeignJob job, int number) {
    this.job = job;
    this.number = number;
    this.document = job.originals().get(0);
    this.templates = new PodTemplates(job);
  }

  /**
   * All that is found; none: the job can be run so.
   *
   * @param number of the job among what was submitted, from 1
   */
  public static List<Violation> of(ForeignJob job, int number) {
    ContainerRefusals refusals = new ContainerRefusals(job, number);
    refusals.find();
    return refusals.found.stream().limit(FOUND_MAX).toList();
  }

  private void find() {
    switch (job.kind()) {
      case JOB -> completions("/spec", "spec");
      case JOB_SET -> jobSet();
      case POD -> {}
      case RAY_JOB, RAY_CLUSTER, PATHWAYS_JOB, TRAIN_JOB -> {
        refuse(
            "kind",
            job.kind().word(),
            "needs its controller in a Kubernetes cluster: only a"
                + " Job, a JobSet or a Pod can run as processes");
        return;
      }
    }
    if (job.spec().accelerator() != null && job.spec().podSets().size() > 1) {
      refuse(
          "spec",
          "",
          "must be of one kind of pods: on this machine a job with slices has no" + " others");
    }
    for (PodSetPlace place : job.places()) {
      pods(place, templates.template(place).path("spec"));
    }
  }

  private void jobSet() {
    JsonNode spec = document.path("spec");
    int at = 0;
    for (JsonNode replicated : spec.path("replicatedJobs")) {
      String path = "spec.replicatedJobs[" + at + "]";
      completions("/spec/replicatedJobs/" + at + "/template/spec", path + ".template.spec");
      absent(replicated, "dependsOn", path, "all pods start at once as processes");
      at++;
    }
    JsonNode order = spec.at("/startupPolicy/startupPolicyOrder");
    if (order.asText().equals("InOrder")) {
      refuse(
          "spec.startupPolicy.startupPolicyOrder",
          "InOrder",
          "must be AnyOrder: all pods start" + " at once as processes");
    }
    absent(spec, "successPolicy", "spec", "processes have succeeded when all have");
  }

  /** Processes all run at once. */
  private void completions(String pointer, String path) {
    JsonNode spec = document.at(pointer);
    int parallelism = spec.path("parallelism").asInt(1);
    int completions = spec.path("completions").asInt(1);
    if (completions > parallelism) {
      refuse(
          path + ".completions",
          Integer.toString(completions),
          "must be at most parallelism, " + parallelism + ": processes all run at once");
    }
    absent(spec, "successPolicy", path, "processes have succeeded when all have");
  }

  private void pods(PodSetPlace place, JsonNode spec) {
    String pod = PodTemplates.path(place, "spec");
    absent(spec, "initContainers", pod, "processes stand for pods of one container");
    if (spec.path("containers").size() != 1) {
      refuse(
          pod + ".containers",
          Integer.toString(spec.path("containers").size()),
          "must be one container: processes stand for pods of one");
      return;
    }
    JsonNode container = spec.at("/containers/0");
    String path = pod + ".containers[0]";
    if (container.path("command").isEmpty()) {
      refuse(
          path + ".command",
          "",
          "must be there: the program of an image is not known, and the" + " image is not run");
    }
    absent(container, "envFrom", path, "it is kept in a Kubernetes cluster");
    absent(container, "volumeDevices", path, "a process has the devices of this machine");
    variables(container, path);
    volumes(spec, container, path);
  }

  private void variables(JsonNode container, String path) {
    int at = 0;
    for (JsonNode variable : container.path("env")) {
      String where = path + ".env[" + at + "]";
      at++;
      String name = variable.path("name").asText();
      try {
        Names.requireEnvironmentName(name);
      } catch (InvalidValueException invalid) {
        refuse(where + ".name", name, String.valueOf(invalid.getMessage()));
      }
      JsonNode from = variable.path("valueFrom");
      JsonNode field = from.at("/fieldRef/fieldPath");
      if (!field.isMissingNode() && !PodNames.has(field.asText())) {
        refuse(where + ".valueFrom.fieldRef.fieldPath", field.asText(), "is no field of a process");
      } else if (variable.at(SECRET).isObject()) {
        secret(variable, container, where);
      } else if (!from.isMissingNode() && field.isMissingNode()) {
        refuse(
            where + ".valueFrom",
            "",
            "must be a fieldRef or a secretKeyRef: anything else is kept in a Kubernetes cluster");
      }
    }
  }

  /** Other accounts of a machine can read the arguments of a process. */
  private void secret(JsonNode variable, JsonNode container, String where) {
    JsonNode from = variable.at(SECRET);
    try {
      new SecretKey(from.path("name").asText(), from.path("key").asText());
    } catch (InvalidValueException invalid) {
      refuse(
          where + ".valueFrom.secretKeyRef", from.toString(), String.valueOf(invalid.getMessage()));
    }
    String reference = "$(" + variable.path("name").asText() + ")";
    for (String words : List.of("command", "args", "env")) {
      for (JsonNode word : container.path(words)) {
        if (word.asText().contains(reference) || word.path("value").asText().contains(reference)) {
          refuse(
              where,
              reference,
              "is a secret, and stands in " + words + ": have the program read the variable");
        }
      }
    }
  }

  private void volumes(JsonNode spec, JsonNode container, String path) {
    int at = 0;
    for (JsonNode mount : container.path("volumeMounts")) {
      String name = mount.path("name").asText();
      boolean empty = false;
      for (JsonNode volume : spec.path("volumes")) {
        empty |= volume.path("name").asText().equals(name) && volume.has("emptyDir");
      }
      String where = mount.path("mountPath").asText();
      if (!empty || !SCRATCH.contains(where)) {
        refuse(
            path + ".volumeMounts[" + at + "].mountPath",
            where,
            "cannot be mounted for a process: only an emptyDir at one of "
                + String.join(", ", SCRATCH.stream().sorted().toList()));
      }
      at++;
    }
  }

  private void absent(JsonNode owner, String field, String path, String why) {
    if (!owner.path(field).isEmpty()) {
      refuse(path + "." + field, "", "must not be there: " + why);
    }
  }

  private void refuse(String path, String value, String message) {
    found.add(new Violation(number, path, value, message));
  }
}
