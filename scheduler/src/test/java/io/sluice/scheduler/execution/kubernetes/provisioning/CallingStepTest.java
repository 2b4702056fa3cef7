// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.execution.kubernetes.fleet.Obtainable;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Creation;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Outcome;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingStep.Sight;
import io.sluice.scheduler.store.cluster.ProvisionedSlice;
import io.sluice.testing.WorkloadBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is created, deleted and answered for a set of wants, over a cluster that is a list. */
class CallingStepTest {
  private static final RungKey RUNG = new RungKey(WorkloadBuilder.id(1), 0);
  private static final SliceTopology TOPOLOGY = SliceTopology.parse("4x4");
  private static final List<Provisioning.Slices> SLICES =
      List.of(new Provisioning.Slices("v6e", TOPOLOGY, 4, 8));
  private static final Obtainable PODS =
      obtainable(
          "pods",
          new Provisioning(
              Provisioning.By.PLACEHOLDER_PODS, "", Labels.NONE, 0, Duration.ZERO, SLICES));
  private static final Obtainable REQUESTS =
      obtainable(
          "requests",
          new Provisioning(
              Provisioning.By.PROVISIONING_REQUEST,
              "queued-provisioning.gke.io",
              Labels.NONE,
              2,
              Duration.ofSeconds(60),
              SLICES));

  private final CallingPast past = new CallingPast();
  private final List<CallingObject> there = new ArrayList<>();
  private final List<ProvisionedSlice> provisioned = new ArrayList<>();
  private final Set<String> kept = new HashSet<>();
  private Instant now = Instant.parse("2026-11-21T10:00:00Z");
  private int uids;

  private static Obtainable obtainable(String name, Provisioning provisioning) {
    return new Obtainable(
        new ResourceFlavor(
            ObjectMeta.named(name),
            Labels.of(Map.of(NodeLabels.COMPUTE_CLASS, "cheap", "sluice.io/cluster", "here")),
            List.of(),
            List.of()),
        provisioning);
  }

  private static Want want(@Nullable Obtainable by, int coming, String... slices) {
    return new Want(
        RUNG,
        "seek",
        "team",
        List.of(slices),
        coming,
        by == null ? null : by.flavor().meta().name(),
        "v6e",
        TOPOLOGY,
        4,
        Duration.ofHours(2));
  }

  private Outcome look(Want... wants) {
    return look(Set.of("here"), wants);
  }

  private Outcome look(Set<String> clusters, Want... wants) {
    Sight sight =
        new Sight(
            List.of(wants),
            Set.of(),
            Map.of("pods", PODS, "requests", REQUESTS),
            "here",
            clusters,
            List.copyOf(there),
            List.copyOf(provisioned),
            Set.copyOf(kept));
    return CallingStep.of(sight, past, now);
  }

  /** As {@link #look}, and the cluster does as it is told. */
  private Outcome pass(Want... wants) {
    Outcome outcome = look(wants);
    there.removeAll(outcome.deletions());
    for (Creation creation : outcome.creations()) {
      ObjectNode object = creation.object().deepCopy();
      ((ObjectNode) object.path("metadata")).put("uid", "uid-" + uids++);
      put(creation.kind(), object);
    }
    return outcome;
  }

  private void put(CallingKind kind, ObjectNode object) {
    CallingObject one = CallingObject.of("here", kind, object);
    assertThat(one).isNotNull();
    there.add(one);
  }

  private List<String> names(CallingKind kind) {
    return there.stream().filter(one -> one.kind() == kind).map(CallingObject::name).toList();
  }

  private void happen(CallingKind kind, String name, String pointer, String field, String value) {
    for (CallingObject one : there) {
      if (one.kind() == kind && one.name().equals(name)) {
        ((ObjectNode) one.object()).withObject(pointer).put(field, value);
      }
    }
  }

  private void say(String condition) {
    for (CallingObject one : there) {
      if (one.kind() == CallingKind.PROVISIONING_REQUEST) {
        ObjectNode said = JsonNodeFactory.instance.objectNode();
        said.put("type", condition).put("status", "True").put("message", "by the test");
        ((ObjectNode) one.object()).withObject("/status").withArray("conditions").add(said);
      }
    }
  }

  private String tries() {
    return there.stream()
        .filter(one -> one.kind() == CallingKind.PROVISIONING_REQUEST)
        .map(one -> one.object().at("/metadata/annotations/sluice.io~1try").asText())
        .findFirst()
        .orElse("none");
  }

  @Test
  void aSliceIsCalledForByAPodForEachHostAndOnlyOnce() {
    pass(want(PODS, 1));
    assertThat(names(CallingKind.POD))
        .containsExactly("seek-0-0", "seek-0-1", "seek-0-2", "seek-0-3");
    assertThat(pass(want(PODS, 1)).creations()).isEmpty();
    assertThat(there.get(0).object().at("/spec/nodeSelector").toString())
        .isEqualTo(
            "{\"cloud.google.com/compute-class\":\"cheap\","
                + "\"cloud.google.com/gke-tpu-accelerator\":\"tpu-v6e-slice\","
                + "\"cloud.google.com/gke-tpu-topology\":\"4x4\"}");
    assertThat(there.get(0).object().at("/spec/containers/0/resources/requests").toString())
        .isEqualTo("{\"google.com/tpu\":\"4\"}");
    pass();
    assertThat(there).isEmpty();
  }

  @Test
  void podsOfSlicesThatHaveComeStayUntilAllHave() {
    pass(want(PODS, 2));
    assertThat(pass(want(PODS, 1, "a")).deletions()).isEmpty();
    assertThat(names(CallingKind.POD)).hasSize(8);
    Outcome all = pass(want(null, 0, "a", "b"));
    assertThat(all.grants()).hasSize(1);
    assertThat(all.grants().get(0).want().there()).containsExactly("a", "b");
    assertThat(names(CallingKind.POD)).hasSize(8);
  }

  @Test
  void aPodThatWasPushedOffItsNodeIsReplaced() {
    pass(want(PODS, 1));
    happen(CallingKind.POD, "seek-0-2", "/status", "phase", "Failed");
    assertThat(pass(want(PODS, 1)).deletions()).hasSize(1);
    assertThat(pass(want(PODS, 1)).creations()).hasSize(1);
    assertThat(names(CallingKind.POD)).hasSize(4);
  }

  @Test
  void nodesThatAreGivenAndDoNotBecomeReadyAreRefusedInTime() {
    pass(want(PODS, 1));
    for (String pod : names(CallingKind.POD)) {
      happen(CallingKind.POD, pod, "/spec", "nodeName", "node");
    }
    assertThat(look(want(PODS, 1)).refusals()).isEmpty();
    now = now.plus(CallingStep.READY_WITHIN).minusSeconds(1);
    assertThat(look(want(PODS, 1)).refusals()).isEmpty();
    now = now.plusSeconds(1);
    assertThat(look(want(PODS, 1)).refusals()).hasSize(1);
  }

  @Test
  void theTimeForNodesBeginsAnewWhenAPodHasLostItsOwn() {
    pass(want(PODS, 1));
    for (String pod : names(CallingKind.POD)) {
      happen(CallingKind.POD, pod, "/spec", "nodeName", "node");
    }
    Outcome unused = look(want(PODS, 1));
    now = now.plus(CallingStep.READY_WITHIN).minusSeconds(1);
    happen(CallingKind.POD, "seek-0-1", "/status", "phase", "Failed");
    pass(want(PODS, 1));
    pass(want(PODS, 1));
    now = now.plusSeconds(1);
    assertThat(look(want(PODS, 1)).refusals()).isEmpty();
  }

  @Test
  void oneRequestIsMadeForAllThatLacks() {
    pass(want(REQUESTS, 2, "a"));
    assertThat(names(CallingKind.POD_TEMPLATE)).containsExactly("seek");
    assertThat(names(CallingKind.PROVISIONING_REQUEST)).containsExactly("seek");
    ObjectNode request = (ObjectNode) there.get(1).object();
    assertThat(request.at("/spec/podSets").toString())
        .isEqualTo("[{\"count\":8,\"podTemplateRef\":{\"name\":\"seek\"}}]");
    assertThat(request.at("/spec/parameters/maxRunDurationSeconds").asText()).isEqualTo("7200");
    assertThat(pass(want(REQUESTS, 2, "a")).creations()).isEmpty();
    pass();
    assertThat(there).isEmpty();
  }

  @Test
  void aRequestIsRepeatedWithLongerAndLongerPausesAndThenTheRungIsRefused() {
    pass(want(REQUESTS, 1));
    say("Failed");
    pass(want(REQUESTS, 1));
    now = now.plusSeconds(59);
    pass(want(REQUESTS, 1));
    assertThat(tries()).isEqualTo("1");
    now = now.plusSeconds(1);
    pass(want(REQUESTS, 1));
    pass(want(REQUESTS, 1));
    assertThat(tries()).isEqualTo("2");
    say("BookingExpired");
    pass(want(REQUESTS, 1));
    now = now.plusSeconds(119);
    pass(want(REQUESTS, 1));
    assertThat(tries()).isEqualTo("2");
    now = now.plusSeconds(1);
    pass(want(REQUESTS, 1));
    pass(want(REQUESTS, 1));
    assertThat(tries()).isEqualTo("3");
    say("Provisioned");
    say("CapacityRevoked");
    Outcome last = pass(want(REQUESTS, 1));
    assertThat(last.refusals()).hasSize(1);
    assertThat(last.refusals().get(0).why()).isEqualTo("CapacityRevoked: by the test");
    assertThat(tries()).isEqualTo("3");
  }

  @Test
  void whatIsThereIsGrantedOnceItsRequestIsProvisioned() {
    pass(want(REQUESTS, 1));
    say("Accepted");
    assertThat(pass(want(null, 0, "a")).grants()).isEmpty();
    say("Provisioned");
    Outcome outcome = pass(want(null, 0, "a"));
    assertThat(outcome.grants()).hasSize(1);
    assertThat(outcome.grants().get(0).provisioned())
        .containsExactly(new ProvisionedSlice("a", "team", "seek", "queued-provisioning.gke.io"));
  }

  @Test
  void aGrantDoesNotWaitLongForARequestThatSomethingElseHasOvertaken() {
    pass(want(REQUESTS, 1));
    assertThat(pass(want(null, 0, "a")).grants()).isEmpty();
    now = now.plus(CallingStep.CONFIRMED_WITHIN);
    Outcome outcome = pass(want(null, 0, "a"));
    assertThat(outcome.grants()).hasSize(1);
    assertThat(outcome.grants().get(0).provisioned()).isEmpty();
  }

  @Test
  void aProvisionedRequestWhoseNodesDoNotComeIsRefusedInTime() {
    pass(want(REQUESTS, 1));
    say("Provisioned");
    assertThat(pass(want(REQUESTS, 1)).refusals()).isEmpty();
    now = now.plus(CallingStep.READY_WITHIN);
    assertThat(pass(want(REQUESTS, 1)).refusals()).hasSize(1);
  }

  @Test
  void aRequestStaysAsLongAsSomebodyHasItsSlices() {
    pass(want(REQUESTS, 1));
    say("Provisioned");
    provisioned.add(new ProvisionedSlice("a", "team", "seek", "queued-provisioning.gke.io"));
    assertThat(pass().deletions()).isEmpty();
    provisioned.clear();
    pass();
    assertThat(there).isEmpty();
  }

  @Test
  void revokedCapacityIsTakenFromWhomItIsKeptForAndNotFromWhoRuns() {
    pass(want(REQUESTS, 1));
    say("CapacityRevoked");
    provisioned.add(new ProvisionedSlice("a", "team", "seek", "c"));
    provisioned.add(new ProvisionedSlice("b", "team", "seek", "c"));
    kept.add("a");
    assertThat(pass().reclaimed()).containsExactly("a");
  }

  @Test
  void nothingIsDoneInAClusterThatDoesNotTellWhatIsInIt() {
    Outcome outcome = look(Set.of(), want(PODS, 1));
    assertThat(outcome.creations()).isEmpty();
    assertThat(look(Set.of(), want(REQUESTS, 1)).creations()).isEmpty();
  }

  @Test
  void aFlavorThatChangesItsWayIsFollowed() {
    pass(want(PODS, 1));
    pass(want(REQUESTS, 1));
    assertThat(names(CallingKind.POD)).isEmpty();
    assertThat(names(CallingKind.PROVISIONING_REQUEST)).hasSize(1);
    pass(want(PODS, 1));
    assertThat(names(CallingKind.PROVISIONING_REQUEST)).isEmpty();
    assertThat(names(CallingKind.POD_TEMPLATE)).isEmpty();
    assertThat(names(CallingKind.POD)).hasSize(4);
  }
}
