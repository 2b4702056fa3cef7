// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.manifests.containers.ContainerPrograms;
import io.sluice.manifests.containers.ContainerPrograms.Pod;
import io.sluice.manifests.containers.ContainerRefusals;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.scheduler.execution.Launch;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces the containers of a foreign job's pods by the programs they would run, if the server
 * runs containers as processes.
 */
final class ContainerProcesses {
  private final boolean allowed;
  private final PodPlanner planner;
  private final LoopbackAddresses addresses;

  /**
   * Creates the replacement.
   *
   * @param allowed whether the server runs containers as processes
   */
  ContainerProcesses(boolean allowed, PodPlanner planner, LoopbackAddresses addresses) {
    this.allowed = allowed;
    this.planner = planner;
    this.addresses = addresses;
  }

  /**
   * Checks a launch before its pods are placed.
   *
   * @throws CannotStartException if its containers cannot run as processes
   */
  void check(Launch launch) throws CannotStartException {
    String documents = launch.documents();
    if (documents == null) {
      return;
    }
    if (!allowed) {
      throw new CannotStartException(
          "it is a manifest of Kubernetes, and this server has no cluster and does not run"
              + " containers as processes (--run-containers-as-processes)");
    }
    List<Violation> refusals = ContainerRefusals.of(read(documents), 1);
    if (!refusals.isEmpty()) {
      throw new CannotStartException("its containers cannot run as processes: " + refusals.get(0));
    }
  }

  /**
   * Returns the pods with their programs; pods of a job that was submitted as a spec are unchanged.
   *
   * @param launch a launch that passed {@link #check}
   * @param pods all pods of the attempt, placed
   * @throws CannotStartException if this machine cannot run the programs
   */
  List<PodPlan> programs(Launch launch, List<PodPlan> pods) throws CannotStartException {
    String documents = launch.documents();
    if (documents == null) {
      return pods;
    }
    List<Pod> placed =
        pods.stream()
            .map(pod -> new Pod(pod.podSet(), pod.ordinal(), addresses.of(pod.host())))
            .toList();
    List<PodTemplate> templates = new ContainerPrograms(read(documents)).programs(placed);
    List<PodPlan> running = new ArrayList<>();
    for (int at = 0; at < pods.size(); at++) {
      planner.checkProgram(pods.get(at).podSet(), templates.get(at));
      running.add(pods.get(at).running(templates.get(at)));
    }
    return running;
  }

  private static ForeignJob read(String documents) throws CannotStartException {
    try {
      return ForeignReader.readAll(documents).get(0);
    } catch (InvalidManifestException unreadable) {
      throw new CannotStartException(
          "what was submitted cannot be read: " + unreadable.violations().get(0));
    }
  }
}
