// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.Taint.Effect;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.fleet.Toleration.Operator;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What admission might have given jobs. */
public final class Admissions {
  public static final JobId ID = JobId.parse("01234567-89ab-7cde-8f01-23456789abcd");
  private static final Labels SPOT = Labels.of(Map.of("cloud.google.com/gke-spot", "true"));
  private static final Toleration TOLERATION =
      new Toleration("cloud.google.com/gke-spot", Operator.EQUAL, "true", Effect.NO_SCHEDULE);

  private Admissions() {}

  /** All that a job asks for, of flavors of Spot nodes where it asks for slices. */
  public static AdmittedAttempt whole(JobSpec job, int attempt) {
    List<AdmittedPodSet> podSets = new ArrayList<>();
    for (PodSetSpec podSet : job.podSets()) {
      boolean chips = podSet.template().requests().get(ResourceName.TPU) > 0;
      AcceleratorRequest request = job.accelerator();
      podSets.add(
          chips && request != null
              ? slices(podSet.name(), request, request.slices().max())
              : pods(podSet.name(), podSet.count()));
    }
    return attempt(attempt, podSets);
  }

  public static AdmittedAttempt attempt(int attempt, List<AdmittedPodSet> podSets) {
    return new AdmittedAttempt(new AttemptKey(ID, 0, attempt), 1, podSets);
  }

  public static AdmittedPodSet pods(String name, int count) {
    Labels labels = Labels.of(Map.of("example.com/pool", "general"));
    return new AdmittedPodSet(name, count, labels, List.of(), List.of());
  }

  public static AdmittedPodSet slices(String name, AcceleratorRequest request, int count) {
    List<Slice> slices = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      List<String> hosts = new ArrayList<>();
      for (int host = 0; host < request.hostsPerSlice(); host++) {
        hosts.add("node-" + number + "-" + host);
      }
      slices.add(
          new Slice(
              "pool-" + number,
              request.type(),
              request.topology(),
              CapacityType.SPOT,
              SPOT,
              hosts));
    }
    return new AdmittedPodSet(
        name, count * request.hostsPerSlice(), SPOT, List.of(TOLERATION), slices);
  }
}
