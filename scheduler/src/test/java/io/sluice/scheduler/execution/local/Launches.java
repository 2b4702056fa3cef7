// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.job.SecretKey;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.execution.Launch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/** Builds launches, and fleets to run them on. */
public final class Launches {
  private final List<String> command;
  private List<String> otherCommand = List.of();
  private Map<String, String> environment = Map.of();
  private Map<String, SecretKey> secrets = Map.of();
  private Map<String, String> nodeSelector = Map.of();
  private ResourceList requests = ResourceList.NONE;
  private int pods = 1;
  private List<String> slices = List.of();
  private Duration gracePeriod = Duration.ofSeconds(20);
  private AttemptDeadlines deadlines = AttemptDeadlines.DEFAULT;
  private AttemptKey attempt = newAttempt();
  private int generation = 1;
  private String namespace = "team";
  private AttemptState state = AttemptState.ADMITTED;

  private Launches(List<String> command) {
    this.command = command;
  }

  static Launches of(String... command) {
    return new Launches(List.of(command));
  }

  static Launches sh(String script) {
    return of("sh", "-c", script);
  }

  public static AttemptKey newAttempt() {
    return new AttemptKey(new JobId(UUID.randomUUID()), 0, 1);
  }

  Launches environment(Map<String, String> variables) {
    environment = variables;
    return this;
  }

  Launches secrets(Map<String, SecretKey> variables) {
    secrets = variables;
    return this;
  }

  Launches nodeSelector(Map<String, String> labels) {
    nodeSelector = labels;
    return this;
  }

  Launches cpus(long cpus) {
    requests = ResourceList.of(ResourceName.CPU, cpus * 1000);
    return this;
  }

  Launches memory(long bytes) {
    requests = ResourceList.of(ResourceName.MEMORY, bytes);
    return this;
  }

  Launches pods(int count) {
    pods = count;
    return this;
  }

  /** Adds a second pod set, {@code other}, with one pod. */
  Launches beside(String... program) {
    otherCommand = List.of(program);
    return this;
  }

  Launches slices(String... names) {
    slices = List.of(names);
    return this;
  }

  Launches namespace(String name) {
    namespace = name;
    return this;
  }

  Launches gracePeriod(Duration grace) {
    gracePeriod = grace;
    return this;
  }

  Launches progressDeadline(Duration deadline) {
    deadlines = new AttemptDeadlines(deadlines.start(), deadline, StallPolicy.FAIL);
    return this;
  }

  Launches attempt(AttemptKey key, int ofGeneration) {
    attempt = key;
    generation = ofGeneration;
    return this;
  }

  Launches state(AttemptState now) {
    state = now;
    return this;
  }

  Launch launch() {
    List<PodSetSpec> podSets = new ArrayList<>();
    podSets.add(new PodSetSpec("main", pods, template(command)));
    if (!otherCommand.isEmpty()) {
      podSets.add(new PodSetSpec("other", 1, template(otherCommand)));
    }
    JobSpec job =
        new JobSpec(
            ObjectMeta.named(namespace, "job"),
            "queue",
            JobSpec.PrioritySpec.NONE,
            podSets,
            slices.isEmpty()
                ? null
                : new AcceleratorRequest("v6e", SliceTopology.parse("4x4"), slices.size(), 4),
            new JobLimits(null, gracePeriod, 0, deadlines),
            JobArray.SINGLE);
    List<PodSetAssignment> assigned =
        podSets.stream()
            .map(
                podSet ->
                    new PodSetAssignment(
                        podSet.name(), podSet.count(), new TreeMap<>(), podSet.podSet().total()))
            .toList();
    return new Launch(
        attempt, generation, state, job, new Assignment("cluster-queue", assigned, slices));
  }

  private PodTemplate template(List<String> program) {
    return new PodTemplate(null, program, Labels.NONE, requests, Labels.of(nodeSelector), List.of())
        .running(program, Labels.of(environment), new TreeMap<>(secrets));
  }

  /** Returns a fleet of slices with these names and four hosts each. */
  static Fleet slicesOfFour(String... names) {
    List<Host> hosts = new ArrayList<>();
    List<Slice> slices = new ArrayList<>();
    for (String name : names) {
      List<String> own = IntStream.range(0, 4).mapToObj(worker -> name + "-w" + worker).toList();
      own.forEach(host -> hosts.add(host(host, 0, Map.of())));
      slices.add(
          new Slice(name, "v6e", SliceTopology.parse("4x4"), CapacityType.SPOT, Labels.NONE, own));
    }
    return new Fleet(ExecutorKind.LOCAL, hosts, slices);
  }

  static Fleet hosts(Host... hosts) {
    return new Fleet(ExecutorKind.LOCAL, List.of(hosts), List.of());
  }

  static Host host(String name, long cpus, Map<String, String> labels) {
    return new Host(name, Labels.of(labels), ResourceList.of(ResourceName.CPU, cpus * 1000));
  }
}
