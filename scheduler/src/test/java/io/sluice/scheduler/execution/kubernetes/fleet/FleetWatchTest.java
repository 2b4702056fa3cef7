// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.scheduler.store.cluster.ProviderNotes.Noun;
import io.sluice.testing.FleetBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the engine is told of clusters, and what it makes of it. */
class FleetWatchTest {
  private static final String V6E = " tpu tpu-v6e-slice topology 4x4 chips 4\n";
  private static final String SPOT = V6E.strip() + " spot\n";

  /** A cluster whose nodes the test makes; not listed before they are first set. */
  private static final class Cluster implements NodeSource {
    private final NodeFleet reading;
    private @Nullable GkeNodes nodes;
    private @Nullable ObservedFleet observed;

    Cluster(NodeFleet reading) {
      this.reading = reading;
    }

    void then(String lines) {
      nodes = nodes == null ? GkeNodes.of(lines) : nodes.then(lines);
      observed = reading.of(nodes.seen());
    }

    @Override
    public ClusterSight look() {
      return new ClusterSight(reading.cluster(), observed);
    }

    @Override
    public Standing standing() {
      return new Standing(reading.cluster(), null, observed);
    }

    @Override
    public void close() {}
  }

  private final MemoryEngine engine = new MemoryEngine();
  private final Cluster here =
      new Cluster(NodeFleet.ofDefault("here", AcceleratorCatalogue.BUILT_IN));
  private final Cluster there =
      new Cluster(NodeFleet.ofAnother("there", AcceleratorCatalogue.BUILT_IN));
  private boolean leads = true;
  private FleetWatch watch = watch(Fleet.EMPTY, here);

  private FleetWatch watch(Fleet file, Cluster... clusters) {
    FleetWatch made =
        new FleetWatch(() -> List.of(clusters), file, engine::ask, engine, engine.clock());
    made.beginLeading(() -> leads);
    return made;
  }

  /** Half a second passes, and everybody does what is due. */
  private void pass() {
    engine.advance(Duration.ofMillis(500));
    watch.pass();
    engine.step();
  }

  private void passFor(Duration time) {
    for (long passed = 0; passed < time.toMillis(); passed += 500) {
      pass();
    }
  }

  private List<String> slices() {
    return fleet().slices().stream().map(Slice::name).toList();
  }

  private List<String> hosts() {
    return fleet().hosts().stream().map(Host::name).toList();
  }

  private Fleet fleet() {
    return (Fleet) engine.ask(state -> state.fleet());
  }

  private long fleetsTold() {
    return engine.collectGiven().stream().filter(Input.SetFleet.class::isInstance).count();
  }

  @Test
  void aJobRunsOnASliceOfTheClusterAsSoonAsThatIsWhole() {
    here.then("pool a nodes 3" + V6E);
    engine.submit(1);
    pass();
    assertThat(slices()).isEmpty();
    here.then("pool a from 3 nodes 1" + V6E);
    passFor(FleetPace.SHORTEST);
    assertThat(slices()).containsExactly("a");
    assertThat(engine.heldBy(1)).isEqualTo("a");
  }

  @Test
  void aNodeThatFailsTakesItsSliceAndTheJobGoesElsewhere() {
    here.then("pool a nodes 4" + V6E + "pool b nodes 4" + V6E);
    pass();
    engine.submit(1);
    assertThat(engine.heldBy(1)).isEqualTo("a");
    engine.collectGiven();
    here.then("a-2 is not ready");
    pass();
    assertThat(engine.collectGiven()).containsExactly(Input.ReclaimSlice.ofFailedHost("a", "a-2"));
    engine.drain();
    assertThat(engine.heldBy(1)).isEqualTo("b");
    here.then("a-2 is ready");
    passFor(FleetPace.SHORTEST);
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.READY);
    assertThat(engine.collectGiven()).containsExactly(new Input.ReturnSlice("a"));
  }

  @Test
  void whatIsKnownIsNotToldAgain() {
    here.then("pool a nodes 4" + V6E + "pool b nodes 4" + V6E);
    pass();
    here.then("a-2 is not ready");
    passFor(FleetPace.SHORTEST);
    engine.collectGiven();
    passFor(Duration.ofSeconds(60));
    assertThat(engine.collectGiven()).isEmpty();
  }

  @Test
  void aSliceIsBackWithTheLastOfItsHosts() {
    here.then("pool a nodes 4" + V6E);
    pass();
    here.then("a-0 is not ready\na-3 does not answer");
    pass();
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.ABSENT);
    here.then("a-0 is ready");
    passFor(Duration.ofSeconds(10));
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.ABSENT);
    here.then("a-3 is ready");
    pass();
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.READY);
  }

  @Test
  void aSliceWhoseNodesComeUpLateIsNotUsedBefore() {
    here.then("pool a nodes 4" + V6E + "a-3 is not ready");
    engine.submit(1);
    pass();
    assertThat(slices()).containsExactly("a");
    assertThat(engine.heldBy(1)).isNull();
    assertThat(engine.ending()).isEmpty();
    here.then("a-3 is ready");
    pass();
    assertThat(engine.heldBy(1)).isEqualTo("a");
  }

  @Test
  void aNodeThatVanishesTakesItsSliceButNotOutOfTheFleet() {
    here.then("pool a nodes 4" + V6E + "pool b nodes 1 tpu tpu-v6e-slice topology 2x2 chips 4");
    pass();
    engine.submit(1);
    assertThat(engine.heldBy(1)).isEqualTo("a");
    engine.collectGiven();
    here.then("a-1 is gone");
    pass();
    assertThat(engine.collectGiven()).containsExactly(Input.ReclaimSlice.ofFailedHost("a", "a-1"));
    assertThat(engine.ending()).hasSize(1);
    engine.drain();
    passFor(Duration.ofMinutes(1));
    assertThat(slices()).containsExactly("a", "b-0");
    assertThat(engine.heldBy(1)).isNull();
    here.then("pool a from 1 nodes 1" + V6E);
    pass();
    assertThat(engine.heldBy(1)).isEqualTo("a");
    assertThat(fleetsTold()).as("a repair is no other fleet").isZero();
  }

  @Test
  void aPoolThatStaysAwayIsForgotten() {
    here.then("pool a nodes 4" + V6E + "pool b nodes 4" + V6E);
    pass();
    here.then("a-0 is gone\na-1 is gone\na-2 is gone\na-3 is gone");
    passFor(FleetWatch.REMEMBERED);
    assertThat(slices()).containsExactly("a", "b");
    pass();
    assertThat(slices()).containsExactly("b");
    assertThat(hosts()).containsExactly("b-0", "b-1", "b-2", "b-3");
  }

  @Test
  void aNodeThatIsReplacedByOneOfAnotherNameEndsWhatRan() {
    here.then("pool a nodes 4" + V6E);
    pass();
    engine.submit(1);
    passFor(FleetPace.SHORTEST);
    engine.collectGiven();
    here.then("a-1 is gone\npool a from 7 nodes 1" + V6E);
    pass();
    assertThat(engine.collectGiven())
        .startsWith(Input.ReclaimSlice.ofFailedHost("a", "a-1"))
        .hasSize(2);
    assertThat(fleet().slices().get(0).hosts()).containsExactly("a-0", "a-2", "a-3", "a-7");
    engine.drain();
    pass();
    assertThat(engine.heldBy(1)).isEqualTo("a");
  }

  @Test
  void aCordonedSliceIsGivenToNobodyAndTakenFromNobody() {
    here.then("pool a nodes 4" + V6E);
    pass();
    engine.submit(1);
    here.then("a-0 is cordoned");
    passFor(Duration.ofSeconds(10));
    assertThat(engine.heldBy(1)).isEqualTo("a");
    assertThat(engine.ending()).isEmpty();

    here.then("pool b nodes 4" + V6E + "b-0 is cordoned");
    engine.submit(2);
    passFor(Duration.ofSeconds(10));
    assertThat(slices()).containsExactly("a", "b");
    assertThat(engine.heldBy(2)).isNull();
    here.then("b-0 is uncordoned");
    pass();
    assertThat(engine.heldBy(2)).isEqualTo("b");
  }

  @Test
  void aNodeThatIsAboutToBeTerminatedEndsWhatRunsWithNotice() {
    here.then("pool a nodes 4 tpu tpu-v6e-slice topology 4x4 chips 4 spot");
    pass();
    engine.submit(1);
    engine.collectGiven();
    here.then("a-3 has taint cloud.google.com/impending-node-termination=");
    passFor(Duration.ofSeconds(2));
    assertThat(engine.collectGiven())
        .containsExactly(new Input.ReclaimSlice("a", NodeHealth.SPOT_NOTICE, "a-3"));
    assertThat(engine.ending()).hasSize(1);
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.LEAVING);
    here.then("a-3 is gone");
    pass();
    assertThat(engine.collectGiven()).containsExactly(Input.ReclaimSlice.ofFailedHost("a", "a-3"));
  }

  @Test
  void whatACallerTookAwayIsNotReturnedByAWellNode() {
    here.then("pool a nodes 4" + V6E + "pool b nodes 4" + V6E);
    pass();
    engine.note(Noun.SLICE, "a");
    engine.note(Noun.HOST, "b-1");
    engine.append(
        List.of(
            new Input.ReclaimSlice("a", Duration.ZERO),
            Input.ReclaimSlice.ofFailedHost("b", "b-1")));
    passFor(Duration.ofSeconds(10));
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.ABSENT);
    assertThat(engine.condition("b")).isEqualTo(SliceCondition.ABSENT);
    engine.forget(Noun.SLICE, "a");
    engine.forget(Noun.HOST, "b-1");
    pass();
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.READY);
    assertThat(engine.condition("b")).isEqualTo(SliceCondition.READY);
  }

  @Test
  void hostsOutsideSlicesAreThereWhileTheyAreWell() {
    here.then("node c1\nnode c2");
    pass();
    assertThat(hosts()).containsExactly("c1", "c2");
    here.then("c1 is cordoned");
    passFor(FleetPace.SHORTEST);
    assertThat(hosts()).containsExactly("c2");
    here.then("c1 is uncordoned");
    passFor(FleetPace.LONGEST);
    assertThat(hosts()).containsExactly("c1", "c2");
  }

  @Test
  void theFleetIsToldAtMostOnceInFiveSecondsAndMoreRarelyWhileItDoesNotRest() {
    here.then("node c0");
    pass();
    assertThat(fleetsTold()).isEqualTo(1);
    for (int half = 1; half <= 1200; half++) {
      here.then("node c" + half);
      pass();
    }
    assertThat(fleetsTold()).as("in ten minutes").isBetween(10L, 15L);
    passFor(FleetPace.LONGEST);
    assertThat(hosts()).hasSize(1201);
  }

  @Test
  void aFollowerTellsNothing() {
    leads = false;
    here.then("pool a nodes 4" + V6E);
    passFor(Duration.ofSeconds(10));
    assertThat(engine.collectGiven()).isEmpty();
    leads = true;
    pass();
    assertThat(slices()).containsExactly("a");
  }

  @Test
  void aNewLeaderKeepsWhatItHasNotSeenYet() {
    watch = watch(Fleet.EMPTY, here, there);
    here.then("pool a nodes 4" + V6E);
    there.then("pool a nodes 4" + V6E + "node c");
    pass();
    Fleet before = fleet();
    assertThat(slices()).containsExactly("a", "there.a");
    engine.submit(1);
    engine.collectGiven();

    Cluster unseen = new Cluster(NodeFleet.ofAnother("there", AcceleratorCatalogue.BUILT_IN));
    watch = watch(Fleet.EMPTY, here, unseen);
    passFor(Duration.ofMinutes(20));
    assertThat(engine.collectGiven()).isEmpty();
    assertThat(fleet()).isEqualTo(before);
    assertThat(engine.heldBy(1)).isEqualTo("a");

    unseen.then("node d");
    pass();
    assertThat(engine.condition("there.a")).isEqualTo(SliceCondition.ABSENT);
    assertThat(hosts()).contains("there.d").doesNotContain("there.c");
  }

  @Test
  void slicesOfAnotherClusterAreForFlavorsThatNameIt() {
    watch = watch(Fleet.EMPTY, here, there);
    here.then("node c");
    there.then("pool a nodes 4" + V6E);
    pass();
    engine.submit(1);
    pass();
    assertThat(slices()).containsExactly("there.a");
    assertThat(engine.heldBy(1)).isNull();
    engine.offer(Labels.of(Map.of(NodeClusters.CLUSTER, "there")));
    pass();
    assertThat(engine.heldBy(1)).isEqualTo("there.a");
  }

  @Test
  void hostsOfTheFleetFileStandBesideThoseOfClusters() {
    Fleet file = FleetBuilder.fleet().slices(1, "own", "v6e", "4x4").build();
    watch = watch(file, here);
    here.then("pool a nodes 4" + V6E + "pool own1 nodes 4" + V6E);
    pass();
    assertThat(slices()).containsExactly("own1", "a");
    assertThat(fleet().slices().get(0).labels().get(NodeClusters.CLUSTER)).isNull();
    assertThat(watch.refused()).containsOnlyKeys("own1");
    here.then("a-0 is not ready");
    pass();
    assertThat(engine.condition("a")).isEqualTo(SliceCondition.ABSENT);
    assertThat(engine.condition("own1")).isEqualTo(SliceCondition.READY);
  }

  @Test
  void aClusterThatIsNotNamedAnyMoreLeavesTheFleet() {
    watch = watch(Fleet.EMPTY, here, there);
    here.then("pool a nodes 4" + V6E);
    there.then("node c");
    pass();
    assertThat(hosts()).contains("there.c");
    watch = watch(Fleet.EMPTY, here);
    pass();
    assertThat(hosts()).containsExactly("a-0", "a-1", "a-2", "a-3");
  }

  @Test
  void capacityThatHasToBeSoughtCannotStandBesideClusters() {
    Fleet file =
        FleetBuilder.fleet()
            .supply(new Supply(CapacityType.SPOT, false, Duration.ZERO, false))
            .build();
    assertThatThrownBy(() -> watch(file, here))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("spot");
  }

  @Test
  void aPoolThatContradictsItselfIsTold() {
    here.then("pool a nodes 4" + V6E + "pool b nodes 5" + V6E + "pool c nodes 1" + V6E);
    pass();
    FleetWatch.ClusterStanding standing = watch.standings().get(0);
    assertThat(standing.nodes()).isEqualTo(10);
    assertThat(standing.refused()).containsOnlyKeys("b");
    assertThat(standing.incomplete()).containsOnlyKeys("c");
    assertThat(slices()).containsExactly("a");
  }

  /** The queue's flavor is Spot that has to be sought, so many slices at most. */
  private void offerSpot(int most) {
    engine.give(
        new Input.SetObject(
            ManifestReader.readQuotaObject(
                ObjectKind.RESOURCE_FLAVOR,
                """
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: ResourceFlavor
                metadata:
                  name: v6e
                  annotations:
                    sluice.io/provisioning: |
                      by: placeholder-pods
                      slices: [{type: v6e, topology: 4x4, most: %d}]
                spec: {nodeLabels: {cloud.google.com/gke-spot: "true"}}
                """
                    .formatted(most)),
            2));
  }

  @Test
  void slicesThatMayComeAreAbsentAndGiveWayToThoseThatDo() {
    offerSpot(2);
    here.then("");
    pass();
    assertThat(slices()).containsExactly("v6e.v6e-4x4-4.0", "v6e.v6e-4x4-4.1");
    assertThat(engine.condition("v6e.v6e-4x4-4.0")).isEqualTo(SliceCondition.ABSENT);
    assertThat(hosts()).isEmpty();
    engine.submit(1);
    here.then("pool nap-1 nodes 4 " + SPOT);
    passFor(FleetPace.SHORTEST);
    assertThat(slices()).containsExactly("nap-1", "v6e.v6e-4x4-4.0");
    assertThat(engine.condition("nap-1")).isEqualTo(SliceCondition.ABSENT);
    engine.collectGiven();
    passFor(Duration.ofSeconds(20));
    assertThat(engine.collectGiven()).isEmpty();
    assertThat(engine.heldBy(1)).isNull();
  }

  @Test
  void whoHasASliceThatWasSoughtKeepsItAndWhenItsNodesGoItMayComeAgain() {
    here.then("pool nap-1 nodes 4 " + SPOT);
    pass();
    engine.submit(1);
    assertThat(engine.heldBy(1)).isEqualTo("nap-1");
    offerSpot(1);
    passFor(FleetPace.SHORTEST);
    assertThat(slices()).containsExactly("nap-1");
    assertThat(engine.heldBy(1)).isEqualTo("nap-1");
    for (int node = 0; node < 4; node++) {
      here.then("nap-1-" + node + " is gone");
    }
    passFor(FleetPace.SHORTEST);
    assertThat(slices()).containsExactly("nap-1");
    engine.drain();
    passFor(FleetPace.LONGEST);
    assertThat(slices()).containsExactly("v6e.v6e-4x4-4.0");
  }

  @Test
  void aFlavorNeitherTakesSlicesOfOtherTermsNorOfOtherClusters() {
    watch = watch(Fleet.EMPTY, here, there);
    offerSpot(1);
    here.then("pool own nodes 4" + V6E);
    there.then("pool far nodes 4 " + SPOT);
    pass();
    assertThat(slices()).containsExactly("own", "v6e.v6e-4x4-4.0", "there.far");
    assertThat(engine.condition("own")).isEqualTo(SliceCondition.READY);
    assertThat(engine.condition("there.far")).isEqualTo(SliceCondition.READY);
  }
}
