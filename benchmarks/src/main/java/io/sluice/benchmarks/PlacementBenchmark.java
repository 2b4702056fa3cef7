// SPDX-License-Identifier: Apache-2.0
package io.sluice.benchmarks;

import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.placement.Placement;
import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.PlacementRules;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.placement.Topologies;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Places 200 pods on hosts in racks of 20 in blocks of 16 racks, of which a third is partly used.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH fills the fields.
public class PlacementBenchmark {
  private static final String FLAVOR = "near";
  private static final int HOSTS_PER_RACK = 20;
  private static final int RACKS_PER_BLOCK = 16;
  private static final int PODS = 200;
  private static final long CORE = 1_000;
  private static final int CORES = 8;

  /** How many hosts there are. */
  @Param({"640", "100000"})
  int hosts;

  /** How close together the pods must be. */
  @Param({"required", "preferred", "unconstrained", "bundles"})
  String request;

  private Placement placement;
  private NodeUsage usage;
  private PodsToPlace pods;

  /** Builds the hosts and what is used of them. */
  @Setup(Level.Trial)
  public void fill() {
    List<Host> all = new ArrayList<>();
    for (int number = 0; number < hosts; number++) {
      all.add(host(number));
    }
    ResourceFlavor flavor =
        new ResourceFlavor(ObjectMeta.named(FLAVOR), Labels.NONE, List.of(), List.of(), "room");
    Topology topology =
        new Topology(ObjectMeta.named("room"), List.of("block", "rack", Topology.HOSTNAME));
    Topologies topologies = new Topologies(List.of(flavor), List.of(topology), all);
    usage = NodeUsage.sharingHosts(topologies);
    for (int number = 0; number < hosts; number += 3) {
      usage.count(new PlacedPods(FLAVOR, on(all.get(number), 1 + number % CORES)), 1);
    }
    placement = new Placement(topologies, PlacementRules.DEFAULT, name -> List.of());
    PodSet workers =
        new PodSet(
            "workers",
            PODS,
            ResourceList.of(ResourceName.CPU, CORE),
            Labels.NONE,
            List.of(),
            NodeAffinity.ANY,
            null,
            null,
            asked(),
            null);
    pods = new PodsToPlace(workers, false, false, null);
    if (place().unplaced() != null) {
      throw new IllegalStateException("another world than was meant");
    }
  }

  private static Host host(int number) {
    int rack = number / HOSTS_PER_RACK;
    String name = "host-%06d".formatted(number);
    Map<String, String> labels =
        Map.of(
            "block",
            "block-%05d".formatted(rack / RACKS_PER_BLOCK),
            "rack",
            "rack-%05d".formatted(rack),
            Topology.HOSTNAME,
            name);
    return new Host(name, Labels.of(labels), ResourceList.of(ResourceName.CPU, CORES * CORE));
  }

  private static TopologyAssignment on(Host host, int pods) {
    return new TopologyAssignment(
        List.of(Topology.HOSTNAME),
        List.of(new TopologyAssignment.Domain(List.of(host.name()), pods)),
        ResourceList.of(ResourceName.CPU, CORE));
  }

  private TopologyRequest asked() {
    return switch (request) {
      case "required" -> new TopologyRequest("block", null, false, List.of());
      case "preferred" -> new TopologyRequest(null, "rack", false, List.of());
      case "unconstrained" -> new TopologyRequest(null, null, true, List.of());
      default ->
          new TopologyRequest(
              "block", null, false, List.of(new TopologyRequest.Layer(Topology.HOSTNAME, 4)));
    };
  }

  @Benchmark
  public Places place() {
    return placement.find(new TreeMap<>(Map.of(FLAVOR, List.of(pods))), List.of(usage));
  }
}
