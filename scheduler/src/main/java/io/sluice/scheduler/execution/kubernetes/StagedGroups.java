// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The replicated Jobs of a JobSet that its controller starts one after another. Computes which of
 * their pods may exist now. An attempt counts as started when those run: a start that waited for
 * all groups would never come while the first one runs.
 *
 * @param groups the replicated Jobs, in the order of the JobSet
 * @param inOrder whether a group starts only when all before it are ready
 */
record StagedGroups(List<Group> groups, boolean inOrder) {
  private static final String COMPLETE = "Complete";

  StagedGroups {
    groups = List.copyOf(groups);
  }

  /**
   * A replicated Job.
   *
   * @param replicas number of Jobs
   * @param dependencies groups that must reach a state before this one starts
   */
  record Group(String name, int replicas, List<Dependency> dependencies) {
    Group {
      dependencies = List.copyOf(dependencies);
    }
  }

  /**
   * A group that must reach a state before another starts.
   *
   * @param complete whether all of its Jobs must have succeeded; else they must be ready
   */
  record Dependency(String group, boolean complete) {}

  /** The number of Jobs of a group that are ready, that succeeded and that failed. */
  record Progress(int ready, int succeeded, int failed) {
    private static final Progress NONE = new Progress(0, 0, 0);
  }

  /** Returns the names of the groups whose pods may exist. */
  Set<String> mayExist(Map<String, Progress> progress) {
    Set<String> found = new HashSet<>();
    boolean reached = true;
    for (Group group : groups) {
      boolean met =
          group.dependencies().stream().allMatch(dependency -> isMet(dependency, progress));
      if (reached && met) {
        found.add(group.name());
      }
      reached &= !inOrder || isStarted(group, progress);
    }
    return found;
  }

  private boolean isMet(Dependency dependency, Map<String, Progress> progress) {
    for (Group group : groups) {
      if (group.name().equals(dependency.group())) {
        Progress its = progress.getOrDefault(group.name(), Progress.NONE);
        return dependency.complete()
            ? its.succeeded() >= group.replicas()
            : isStarted(group, progress);
      }
    }
    return false;
  }

  private static boolean isStarted(Group group, Map<String, Progress> progress) {
    Progress its = progress.getOrDefault(group.name(), Progress.NONE);
    return its.ready() + its.succeeded() + its.failed() >= group.replicas();
  }

  /**
   * Returns how many pods of an object may exist now; at least 1.
   *
   * @param runtime spec of the JobSet that a TrainJob becomes; null: unknown
   * @param admitted the admitted pod sets, named like the replicated Jobs
   */
  static int podsOf(
      ClusterKind kind,
      GenericKubernetesResource owner,
      @Nullable Map<String, Object> runtime,
      List<PodSetAssignment> admitted) {
    Map<String, Object> spec = kind == ClusterKind.JOB_SET ? owner.get("spec") : runtime;
    if (spec == null) {
      return admitted.stream().mapToInt(PodSetAssignment::count).sum();
    }
    String status = kind == ClusterKind.JOB_SET ? "replicatedJobsStatus" : "jobsStatus";
    Set<String> may = of(spec).mayExist(progress(owner.get("status", status)));
    int pods = 0;
    for (PodSetAssignment podSet : admitted) {
      pods += may.contains(podSet.name()) ? podSet.count() : 0;
    }
    return Math.max(1, pods);
  }

  /** Reads the groups from the spec of a JobSet. */
  private static StagedGroups of(Map<String, Object> spec) {
    List<Group> groups = new ArrayList<>();
    for (Map<String, Object> job : objects(spec.get("replicatedJobs"))) {
      List<Dependency> dependencies = new ArrayList<>();
      for (Map<String, Object> dependency : objects(job.get("dependsOn"))) {
        dependencies.add(
            new Dependency(
                String.valueOf(dependency.get("name")), COMPLETE.equals(dependency.get("status"))));
      }
      groups.add(
          new Group(String.valueOf(job.get("name")), number(job, "replicas", 1), dependencies));
    }
    boolean inOrder =
        spec.get("startupPolicy") instanceof Map<?, ?> policy
            && "InOrder".equals(policy.get("startupPolicyOrder"));
    return new StagedGroups(groups, inOrder);
  }

  private static Map<String, Progress> progress(@Nullable Object status) {
    Map<String, Progress> progress = new HashMap<>();
    for (Map<String, Object> job : objects(status)) {
      progress.put(
          String.valueOf(job.get("name")),
          new Progress(
              number(job, "ready", 0), number(job, "succeeded", 0), number(job, "failed", 0)));
    }
    return progress;
  }

  private static int number(Map<String, Object> object, String field, int otherwise) {
    return object.get(field) instanceof Number number ? number.intValue() : otherwise;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> objects(@Nullable Object list) {
    List<Map<String, Object>> objects = new ArrayList<>();
    if (list instanceof List<?> items) {
      for (Object item : items) {
        if (item instanceof Map<?, ?> object) {
          objects.add((Map<String, Object>) object);
        }
      }
    }
    return objects;
  }
}
