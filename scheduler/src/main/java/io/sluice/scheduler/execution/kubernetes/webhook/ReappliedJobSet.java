// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/**
 * Detects an update of an admitted JobSet that only removes what Sluice wrote into it. Tools that
 * apply its user's manifest again cause that, since they send whole lists. Fields that the update
 * lacks count as Sluice's.
 */
final class ReappliedJobSet {
  private static final String JOBS = "replicatedJobs";
  private static final String TEMPLATE = "template";
  private static final Set<String> PLACING =
      Set.of("nodeSelector", "tolerations", "schedulingGates");

  private ReappliedJobSet() {}

  /**
   * Compares the spec of an admitted JobSet with its update.
   *
   * @return false also if their jobs are equal: then there is nothing to restore
   */
  static boolean isAsWritten(JsonNode before, JsonNode after) {
    JsonNode jobs = after.path(JOBS);
    JsonNode jobsBefore = before.path(JOBS);
    if (!jobs.isArray()
        || jobs.equals(jobsBefore)
        || jobs.size() != jobsBefore.size()
        || !isPart(before, after, Set.of(JOBS, "suspend"))) {
      return false;
    }
    for (int number = 0; number < jobs.size(); number++) {
      if (!isSameJob(jobsBefore.get(number), jobs.get(number))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameJob(JsonNode before, JsonNode after) {
    JsonNode template = after.path(TEMPLATE);
    JsonNode templateBefore = before.path(TEMPLATE);
    JsonNode spec = template.path("spec");
    JsonNode specBefore = templateBefore.path("spec");
    return isPart(before, after, Set.of(TEMPLATE))
        && isPart(templateBefore, template, Set.of("spec"))
        && isPart(specBefore, spec, Set.of(TEMPLATE))
        && arePodsAsWritten(specBefore.path(TEMPLATE), spec.path(TEMPLATE));
  }

  private static boolean arePodsAsWritten(JsonNode before, JsonNode after) {
    JsonNode spec = after.path("spec");
    JsonNode specBefore = before.path("spec");
    JsonNode metadata = after.path("metadata");
    JsonNode metadataBefore = before.path("metadata");
    return isPart(specBefore, spec, PLACING)
        && isPart(specBefore.path("nodeSelector"), spec.path("nodeSelector"), Set.of())
        && areEntries(specBefore.path("tolerations"), spec.path("tolerations"))
        && areEntries(specBefore.path("schedulingGates"), spec.path("schedulingGates"))
        && isPart(metadataBefore, metadata, Set.of("labels", "annotations"))
        && isPart(metadataBefore.path("labels"), metadata.path("labels"), Set.of())
        && isPart(metadataBefore.path("annotations"), metadata.path("annotations"), Set.of());
  }

  /** Whether all fields of one object, except some, equal those of another. */
  private static boolean isPart(JsonNode whole, JsonNode part, Set<String> but) {
    for (Map.Entry<String, JsonNode> field : part.properties()) {
      if (!but.contains(field.getKey()) && !field.getValue().equals(whole.get(field.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areEntries(JsonNode whole, JsonNode part) {
    for (JsonNode entry : part) {
      boolean there = false;
      for (JsonNode one : whole) {
        there |= one.equals(entry);
      }
      if (!there) {
        return false;
      }
    }
    return true;
  }
}
