// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.admission.topology.SliceForms;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.WorkerIdentity;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Determines the pods of an attempt, and checks whether this machine can run their programs. */
final class PodPlanner {
  /** Charset in which the JDK passes arguments and environments; it follows the server's locale. */
  private final Charset charset;

  private final AcceleratorCatalogue catalogue;
  private final LoopbackAddresses addresses;

  PodPlanner(Charset charset, AcceleratorCatalogue catalogue, LoopbackAddresses addresses) {
    this.charset = charset;
    this.catalogue = catalogue;
    this.addresses = addresses;
  }

  /** The pods of one pod set without slices, not yet placed. */
  record PodSetPlan(PodSetSpec podSet, int count, @Nullable TopologyAssignment where) {
    /**
     * Returns the number of pods by the labels of their hosts; without a placement, all of them on
     * any host.
     */
    List<Map.Entry<Labels, Integer>> parts() {
      if (where == null) {
        return List.of(Map.entry(Labels.NONE, count));
      }
      List<Map.Entry<Labels, Integer>> parts = new ArrayList<>();
      for (TopologyAssignment.Domain domain : where.domains()) {
        Map<String, String> labels = new TreeMap<>();
        for (int level = 0; level < where.levels().size(); level++) {
          labels.put(where.levels().get(level), domain.values().get(level));
        }
        parts.add(Map.entry(Labels.of(labels), domain.count()));
      }
      return parts;
    }
  }

  /** Returns the pod sets without slices, in the job's order. */
  static List<PodSetPlan> podSets(Launch launch) {
    Map<String, PodSetAssignment> byName =
        launch.assignment().podSets().stream()
            .collect(
                Collectors.toMap(
                    PodSetAssignment::name, Function.identity(), (first, again) -> first));
    return launch.job().podSets().stream()
        .map(
            podSet -> {
              PodSetAssignment given = byName.get(podSet.name());
              return given == null
                  ? new PodSetPlan(podSet, podSet.count(), null)
                  : new PodSetPlan(podSet, given.count(), given.topology());
            })
        .toList();
  }

  static boolean hasSlices(Launch launch) {
    return !launch.assignment().slices().isEmpty();
  }

  /**
   * Checks everything that does not depend on the placement, except the programs of containers.
   *
   * @throws CannotStartException if it can never run here
   */
  void check(Launch launch) throws CannotStartException {
    if (hasSlices(launch) && launch.job().podSets().size() != 1) {
      throw new CannotStartException(
          "a job with slices must have exactly one pod set, not " + launch.job().podSets().size());
    }
    if (!hasSlices(launch) && podSets(launch).stream().mapToLong(PodSetPlan::count).sum() < 1) {
      throw new CannotStartException("the job was given no pods");
    }
    Set<String> names = new HashSet<>();
    for (PodSetSpec podSet : launch.job().podSets()) {
      if (!names.add(podSet.name())) {
        throw new CannotStartException("two pod sets have the name " + podSet.name());
      }
      try {
        Names.requireLabel(podSet.name());
      } catch (InvalidValueException invalid) {
        throw new CannotStartException(
            "the name of pod set '" + podSet.name() + "' " + invalid.getMessage());
      }
      if (launch.documents() == null) {
        checkProgram(podSet.name(), podSet.template());
      }
    }
  }

  /**
   * Checks the program of a pod set.
   *
   * @throws CannotStartException if this machine cannot run it
   */
  void checkProgram(String podSet, PodTemplate template) throws CannotStartException {
    if (template.command().isEmpty()) {
      throw new CannotStartException(
          "pod set "
              + podSet
              + (template.image() == null ? " has no command" : " has an image but no command")
              + ": the local executor runs programs of this machine, it cannot run an image");
    }
    for (int at = 0; at < template.command().size(); at++) {
      checkText("command[" + at + "] of pod set " + podSet, template.command().get(at));
    }
    for (Map.Entry<String, String> variable : template.environment().entries().entrySet()) {
      String what = "environment variable '" + variable.getKey() + "' of pod set " + podSet;
      try {
        Names.requireEnvironmentName(variable.getKey());
      } catch (InvalidValueException invalid) {
        throw new CannotStartException(what + " " + invalid.getMessage());
      }
      checkText(what, variable.getValue());
    }
  }

  private void checkText(String what, String text) throws CannotStartException {
    if (text.indexOf('\0') >= 0) {
      throw new CannotStartException(what + " contains a NUL character");
    }
    if (!charset.newEncoder().canEncode(text)) {
      throw new CannotStartException(
          what
              + " has characters that cannot be passed on in the server's locale ("
              + charset
              + "); start the server with LANG=C.UTF-8");
    }
  }

  /**
   * Returns the number of pods of an attempt.
   *
   * @throws CannotStartException if a slice is not in the fleet
   */
  static long count(Launch launch, Fleet fleet) throws CannotStartException {
    return hasSlices(launch)
        ? slices(launch, fleet).stream().mapToLong(slice -> slice.hosts().size()).sum()
        : podSets(launch).stream().mapToLong(PodSetPlan::count).sum();
  }

  private static List<Slice> slices(Launch launch, Fleet fleet) throws CannotStartException {
    SliceForms forms = new SliceForms(fleet);
    List<Slice> slices = new ArrayList<>();
    for (String name : launch.assignment().slices()) {
      Slice slice = forms.find(name);
      if (slice == null) {
        throw new CannotStartException("slice " + name + " is not in the fleet");
      }
      slices.add(slice);
    }
    return slices;
  }

  /**
   * Returns the pods of an attempt with slices: one on each host, in the order of slices and
   * workers.
   *
   * @throws CannotStartException if a slice is not in the fleet
   */
  List<PodPlan> onSlices(Launch launch, Fleet fleet) throws CannotStartException {
    List<Slice> slices = slices(launch, fleet);
    List<Slice> addressed = slices.stream().map(this::addressed).toList();
    PodSetSpec podSet = launch.job().podSets().get(0);
    List<PodPlan> pods = new ArrayList<>();
    for (int sliceId = 0; sliceId < slices.size(); sliceId++) {
      List<String> hosts = slices.get(sliceId).hosts();
      for (int workerId = 0; workerId < hosts.size(); workerId++) {
        pods.add(
            new PodPlan(
                podName(podSet, pods.size()),
                hosts.get(workerId),
                podSet.template(),
                identity(launch, addressed, sliceId, workerId)));
      }
    }
    return pods;
  }

  /**
   * Returns the slice with its hosts' addresses in place of their names, which no resolver knows.
   */
  private Slice addressed(Slice slice) {
    return slice.withHosts(addresses.of(slice.hosts()));
  }

  private SortedMap<String, String> identity(
      Launch launch, List<Slice> slices, int sliceId, int workerId) throws CannotStartException {
    try {
      WorkerIdentity identity =
          new WorkerIdentity(launch.attempt(), launch.generation(), slices, sliceId, workerId);
      return WorkerIdentity.numbered(
          identity.environment(catalogue), launch.attempt(), launch.job().array());
    } catch (InvalidValueException invalid) {
      Slice slice = slices.get(sliceId);
      throw new CannotStartException(
          "type '"
              + slice.acceleratorType()
              + "' of slice "
              + slice.name()
              + " "
              + invalid.getMessage());
    }
  }

  /** Returns a pod of an attempt without slices. */
  static PodPlan onHost(Launch launch, PodSetSpec podSet, int ordinal, String host) {
    return new PodPlan(podName(podSet, ordinal), host, podSet.template(), withoutSlices(launch));
  }

  private static SortedMap<String, String> withoutSlices(Launch launch) {
    return WorkerIdentity.numbered(
        WorkerIdentity.attemptEnvironment(launch.attempt(), launch.generation()),
        launch.attempt(),
        launch.job().array());
  }

  private static String podName(PodSetSpec podSet, int ordinal) {
    return podSet.name() + "-" + ordinal;
  }

  /**
   * Returns the pods of an attempt that an earlier server placed.
   *
   * @throws CannotStartException if a pod belongs to no pod set of the job
   */
  static List<PodPlan> placedBefore(Launch launch, List<PodRecord> records)
      throws CannotStartException {
    List<PodPlan> pods = new ArrayList<>();
    for (PodRecord pod : records) {
      String podSet = PodPlan.podSetOf(pod.pod());
      PodTemplate template =
          launch.job().podSets().stream()
              .filter(one -> one.name().equals(podSet))
              .map(PodSetSpec::template)
              .findFirst()
              .orElseThrow(
                  () -> new CannotStartException("the job has no pod set for pod " + pod.pod()));
      pods.add(new PodPlan(pod.pod(), pod.host(), template, withoutSlices(launch)));
    }
    return pods;
  }
}
