// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.scheduler.kube.ControlPlane;
import io.sluice.scheduler.kube.OnControlPlane;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Nodes of a real API server, without kubelets and controllers: the test says how the nodes are.
 * The server is that of the file that {@code SLUICE_TEST_KUBECONFIG} names; its nodes are deleted.
 */
@OnControlPlane
class NodeFleetKubeIT {
  private static final Logger LOG = Logger.getLogger(NodeFleetKubeIT.class);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String V6E = " tpu tpu-v6e-slice topology 4x4 chips 4\n";

  /** 5,000 as a figure is wanted, at {@code sluice.kube.nodes}; writing them takes minutes. */
  private static final int NODES = Integer.getInteger("sluice.kube.nodes", 1_000);

  private static final int REQUEST_TIMEOUT_MILLIS = 300_000;
  private static final int IMAGES = 50;

  private static ControlPlane plane;

  private final MemoryEngine engine = new MemoryEngine();
  private final GkeNodes nodes = GkeNodes.of("");
  private KubernetesClient admin;
  private KubernetesClient client;
  private PartedWire wire;
  private NodeWatch source;
  private FleetWatch watch;

  @BeforeAll
  static void plane() {
    plane = ControlPlane.bare();
  }

  @BeforeEach
  void connect() throws IOException {
    Config direct = Config.fromKubeconfig(plane.administrator().toFile());
    direct.setRequestTimeout(REQUEST_TIMEOUT_MILLIS);
    admin = new KubernetesClientBuilder().withConfig(direct).build();
    URI server = URI.create(direct.getMasterUrl());
    wire = new PartedWire(server.getPort());
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(direct)
                    .withMasterUrl("https://127.0.0.1:" + wire.port() + "/")
                    .withWatchReconnectInterval(200)
                    .build())
            .build();
    deleteNodes();
    begin();
  }

  private void begin() {
    source =
        new NodeWatch(
            client, NodeFleet.ofDefault("here", AcceleratorCatalogue.BUILT_IN), engine.clock());
    watch = new FleetWatch(() -> List.of(source), Fleet.EMPTY, engine::ask, engine, engine.clock());
    watch.beginLeading(() -> true);
  }

  @AfterEach
  void end() throws IOException {
    watch.close();
    deleteNodes();
    client.close();
    wire.close();
    admin.close();
  }

  /** The answer has all nodes in it, which need not be read. */
  private void deleteNodes() {
    admin.raw("/api/v1/nodes", "DELETE", null);
    assertThat(admin.nodes().list(new ListOptionsBuilder().withLimit(1L).build()).getItems())
        .isEmpty();
  }

  /** Has something happen to nodes, here and at the API server. */
  private void then(String lines) {
    List<Node> before = nodes.all();
    nodes.then(lines);
    List<Node> after = nodes.all();
    for (Node node : after) {
      if (!before.contains(node)) {
        write(node, admin.nodes().withName(node.getMetadata().getName()).get());
      }
    }
    before.stream()
        .map(node -> node.getMetadata().getName())
        .filter(name -> nodes.node(name) == null)
        .forEach(name -> admin.nodes().withName(name).delete());
  }

  /**
   * The API server taints a new node as not ready, and keeps status apart from the rest.
   *
   * @param old null: there is none yet
   */
  private void write(Node node, @Nullable Node old) {
    Node current = old == null ? admin.nodes().resource(node).create() : old;
    Node wanted =
        new NodeBuilder(current)
            .editMetadata()
            .withLabels(node.getMetadata().getLabels())
            .endMetadata()
            .withSpec(node.getSpec())
            .build();
    Node updated = admin.nodes().resource(wanted).update();
    admin
        .nodes()
        .resource(new NodeBuilder(updated).withStatus(node.getStatus()).build())
        .updateStatus();
  }

  private void await(String what, BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      pass();
    }
  }

  private void pass() {
    engine.advance(Duration.ofMillis(200));
    watch.pass();
    engine.step();
    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
  }

  private Fleet fleet() {
    return (Fleet) engine.ask(state -> state.fleet());
  }

  private boolean hasSlices(int count) {
    return fleet().slices().size() == count;
  }

  @Test
  void nodesOfAPoolAreASliceThatIsLostAndReturnsWithThem() {
    then("pool a nodes 3" + V6E + "node cpu");
    engine.submit(1);
    await("the host outside slices", () -> fleet().hosts().size() == 1);
    then("pool a from 3 nodes 1" + V6E);
    await("the job runs", () -> "a".equals(engine.heldBy(1)));

    then("a-2 is not ready");
    await("it is told to end", () -> engine.ending().size() == 1);
    engine.drain();
    then("a-2 is ready");
    await("it runs again", () -> "a".equals(engine.heldBy(1)));

    then("a-1 is gone");
    await("it is told to end again", () -> engine.ending().size() == 1);
    engine.drain();
    assertThat(hasSlices(1)).isTrue();
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.ABSENT);
    then("pool a from 1 nodes 1" + V6E);
    await("it runs once more", () -> "a".equals(engine.heldBy(1)));
  }

  @Test
  void aClusterThatCannotBeReachedChangesNothingAndSaysSo() throws IOException {
    then("pool a nodes 4" + V6E + "pool b nodes 4" + V6E);
    await("two slices", () -> hasSlices(2));
    engine.submit(1);
    await("the job runs", () -> "a".equals(engine.heldBy(1)));
    engine.collectGiven();

    wire.part();
    then("a-0 is gone\npool c nodes 4" + V6E);
    await("it is said", () -> watch.standings().get(0).unreachableSince() != null);
    for (int times = 0; times < 100; times++) {
      pass();
    }
    assertThat(engine.collectGiven()).isEmpty();
    assertThat(engine.heldBy(1)).isEqualTo("a");

    wire.heal();
    await("what happened meanwhile is known", () -> hasSlices(3));
    await("it is said no more", () -> watch.standings().get(0).unreachableSince() == null);
    await("the slice is lost", () -> engine.condition("a") != SliceCondition.READY);
    engine.drain();
    await("the job runs elsewhere", () -> !"a".equals(engine.heldBy(1)));
  }

  @Test
  void aServerThatBeginsWithoutTheClusterKeepsTheFleetAndWaits() throws IOException {
    then("pool a nodes 4" + V6E);
    await("a slice", () -> hasSlices(1));
    watch.close();
    wire.part();
    begin();
    engine.collectGiven();
    await("it is said", () -> watch.standings().get(0).unreachableSince() != null);
    assertThat(hasSlices(1)).isTrue();
    assertThat(engine.collectGiven()).isEmpty();
    wire.heal();
    then("pool b nodes 4" + V6E);
    await("another slice", () -> hasSlices(2));
  }

  @Test
  void heartbeatsChangeNothingAndAWatchThatIsBegunAnewGoesOn() {
    then("pool a nodes 4" + V6E);
    await("a slice", () -> hasSlices(1));
    then("a-0 is cordoned\na-0 is uncordoned");
    await("it settles", () -> engine.condition("a") == SliceCondition.READY);
    pass();
    ObservedFleet seen = source.standing().observed();
    engine.collectGiven();
    admin
        .nodes()
        .withName("a-1")
        .edit(
            node ->
                new NodeBuilder(node).editMetadata().addToAnnotations("beat", "1").and().build());
    for (int times = 0; times < 50; times++) {
      pass();
    }
    assertThat(source.standing().observed()).isSameAs(seen);

    engine.advance(NodeWatch.RESYNC);
    for (int times = 0; times < 50; times++) {
      pass();
    }
    assertThat(source.standing().observed()).isSameAs(seen);
    assertThat(engine.collectGiven()).isEmpty();
    then("a-1 is not ready");
    await("the new watch tells it", () -> engine.condition("a") == SliceCondition.ABSENT);
    assertThat(engine.collectGiven()).containsExactly(Input.ReclaimSlice.ofFailedHost("a", "a-1"));
  }

  @Test
  void manyNodesAreReadAndOneOfThemFails() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int pool = 0; pool < NODES / 4; pool++) {
      lines.append("pool p").append(pool).append(" nodes 4").append(V6E);
    }
    GkeNodes many = GkeNodes.of(lines.toString());
    ExecutorService writers = Executors.newFixedThreadPool(8);
    List<Future<?>> written = new ArrayList<>();
    for (Node node : many.all()) {
      written.add(writers.submit(() -> write(large(node), null)));
    }
    for (Future<?> one : written) {
      one.get();
    }
    writers.shutdown();
    long before = usedMebibytes();
    Instant begun = Instant.now();
    await("all slices", () -> hasSlices(NODES / 4));
    Duration took = Duration.between(begun, Instant.now());
    long after = usedMebibytes();
    assertThat(watch.standings().get(0).nodes()).isEqualTo(NODES);
    Instant failed = Instant.now();
    admin
        .nodes()
        .withName("p7-3")
        .editStatus(
            node -> new NodeBuilder(node).editStatus().withConditions().endStatus().build());
    await("the slice is lost", () -> engine.condition("p7") == SliceCondition.ABSENT);
    LOG.infof(
        "%d nodes: in the fleet after %d ms, %d MiB, one that failed after %d ms",
        NODES, took.toMillis(), after - before, Duration.between(failed, Instant.now()).toMillis());
  }

  /** With as many labels and images as a node of a real cluster. */
  private static Node large(Node node) {
    NodeBuilder large = new NodeBuilder(node);
    for (int label = 0; label < 20; label++) {
      large = large.editMetadata().addToLabels("example.com/label-" + label, "v" + label).and();
    }
    for (int image = 0; image < IMAGES; image++) {
      large =
          large
              .editStatus()
              .addNewImage()
              .addToNames(
                  "registry.example.com/library/image-" + image + "@sha256:" + "0".repeat(64))
              .withSizeBytes(123_456_789L)
              .endImage()
              .endStatus();
    }
    return large.build();
  }

  private static long usedMebibytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int times = 0; times < 3; times++) {
      System.gc();
    }
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }
}
