// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.SecretKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The programs of a Job, JobSet or Pod as processes: command, arguments and environment of each
 * pod's single container. Variables are expanded as in Kubernetes, and domain names of the job's
 * pods are replaced by addresses. {@link ContainerRefusals} finds what cannot be run so.
 */
public final class ContainerPrograms {
  /** Arguments: the working directory, then the program and its arguments. */
  private static final String IN_DIRECTORY =
      """
      if [ -d "$1" ] && cd -- "$1"; then :
      else echo "sluice: workingDir $1 is not there; $PWD is used" >&2
      fi
      shift
      exec "$@"
      """;

  private final ForeignJob job;
  private final PodTemplates templates;

  /** The programs of a job, of which {@link ContainerRefusals} finds nothing wrong. */
  public ContainerPrograms(ForeignJob job) {
    this.job = job;
    this.templates = new PodTemplates(job);
  }

  /**
   * A pod of a job, with its place.
   *
   * @param ordinal in its pod set, from 0
   * @param address of its host
   */
  public record Pod(String podSet, int ordinal, String address) {}

  /** What each pod runs, where these are all pods of the job. */
  public List<PodTemplate> programs(List<Pod> pods) {
    TreeMap<String, String> addresses = new TreeMap<>();
    for (Pod pod : pods) {
      String name = names(pod).domainName();
      if (name != null) {
        addresses.put(name, pod.address());
      }
    }
    PodAddresses named = new PodAddresses(addresses, job.spec().meta().namespace());
    return pods.stream().map(pod -> program(pod, named)).toList();
  }

  private PodNames names(Pod pod) {
    return new PodNames(job, templates, pod.podSet(), pod.ordinal());
  }

  private PodTemplate program(Pod pod, PodAddresses named) {
    JsonNode container = templates.template(pod.podSet(), pod.ordinal()).at("/spec/containers/0");
    PodNames names = names(pod);
    Map<String, String> environment = new TreeMap<>(names.variables());
    TreeMap<String, SecretKey> secrets = new TreeMap<>();
    for (JsonNode variable : container.path("env")) {
      String variableName = variable.path("name").asText();
      JsonNode secret = variable.at(ContainerRefusals.SECRET);
      if (!secret.isMissingNode()) {
        environment.remove(variableName);
        secrets.put(
            variableName, new SecretKey(secret.path("name").asText(), secret.path("key").asText()));
        continue;
      }
      secrets.remove(variableName);
      JsonNode field = variable.at("/valueFrom/fieldRef/fieldPath");
      String value =
          field.isMissingNode()
              ? named.in(VariableReferences.expand(variable.path("value").asText(), environment))
              : names.field(field.asText(), pod.address());
      environment.put(variableName, value);
    }
    List<String> command = new ArrayList<>();
    String directory = container.path("workingDir").asText();
    if (!directory.isEmpty()) {
      command.addAll(List.of("/bin/sh", "-c", IN_DIRECTORY, "sh", directory));
    }
    for (String words : List.of("command", "args")) {
      for (JsonNode word : container.path(words)) {
        command.add(named.in(VariableReferences.expand(word.asText(), environment)));
      }
    }
    return template(pod.podSet()).running(command, Labels.of(environment), secrets);
  }

  private PodTemplate template(String podSet) {
    for (PodSetSpec one : job.spec().podSets()) {
      if (one.name().equals(podSet)) {
        return one.template();
      }
    }
    throw new IllegalArgumentException("no pod set " + podSet);
  }
}
