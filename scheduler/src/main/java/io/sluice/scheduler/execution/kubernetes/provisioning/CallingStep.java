// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.quota.Provisioning;
import io.sluice.scheduler.execution.kubernetes.fleet.Obtainable;
import io.sluice.scheduler.execution.kubernetes.provisioning.RequestState.Standing;
import io.sluice.scheduler.store.cluster.ProvisionedSlice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the actions that bring the provisioning objects in the clusters in line with the wants.
 * It compares the two, without I/O; its only state is {@link CallingPast}.
 */
final class CallingStep {
  /** The longest time for provisioned nodes to become ready. */
  static final Duration READY_WITHIN = Duration.ofMinutes(10);

  /**
   * The longest time for which existing slices wait until their request is reported as provisioned.
   */
  static final Duration CONFIRMED_WITHIN = Duration.ofSeconds(30);

  private final Sight sight;
  private final CallingPast past;
  private final Instant now;
  private final Map<String, List<CallingObject>> bySeek = new HashMap<>();
  private final List<Creation> creations = new ArrayList<>();
  private final List<CallingObject> deletions = new ArrayList<>();
  private final List<Grant> grants = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();
  private final Set<String> reclaimed = new HashSet<>();

  /**
   * The wants and the observed objects.
   *
   * @param answered names of wants that were just answered; the engine may not know yet
   * @param clusters clusters whose objects could be listed, the default one first
   * @param seen all of Sluice's provisioning objects in them
   * @param provisioned slices that are in use or kept, with their requests
   * @param kept those of them that no job has used so far
   */
  record Sight(
      List<Want> wants,
      Set<String> answered,
      Map<String, Obtainable> obtainable,
      String defaultCluster,
      Set<String> clusters,
      List<CallingObject> seen,
      Collection<ProvisionedSlice> provisioned,
      Set<String> kept) {}

  /** An object to create. */
  record Creation(Want want, String cluster, CallingKind kind, ObjectNode object) {}

  /**
   * Slices that are granted to a rung.
   *
   * @param provisioned facts about those that came by a request
   */
  record Grant(Want want, List<ProvisionedSlice> provisioned) {}

  /** A rung whose capacity was refused. */
  record Refusal(RungKey rung, String name, String why) {}

  /**
   * The actions, in the order of execution.
   *
   * @param reclaimed kept slices to take back from their jobs
   */
  record Outcome(
      List<CallingObject> deletions,
      List<Creation> creations,
      List<Grant> grants,
      List<Refusal> refusals,
      Set<String> reclaimed) {}

  private CallingStep(Sight sight, CallingPast past, Instant now) {
    this.sight = sight;
    this.past = past;
    this.now = now;
    for (CallingObject object : sight.seen()) {
      bySeek.computeIfAbsent(object.seek(), absent -> new ArrayList<>()).add(object);
    }
  }

  /** Computes the actions for now. */
  static Outcome of(Sight sight, CallingPast past, Instant now) {
    CallingStep step = new CallingStep(sight, past, now);
    sight.wants().forEach(step::pursue);
    step.sweep();
    step.reclaim();
    past.forgetAllBut(sight.wants().stream().map(Want::name).toList());
    return new Outcome(step.deletions, step.creations, step.grants, step.refusals, step.reclaimed);
  }

  private List<CallingObject> objects(Want want, CallingKind kind) {
    return bySeek.getOrDefault(want.name(), List.of()).stream()
        .filter(object -> object.kind() == kind)
        .toList();
  }

  private @Nullable CallingObject request(Want want) {
    List<CallingObject> requests = objects(want, CallingKind.PROVISIONING_REQUEST);
    return requests.isEmpty() ? null : requests.get(0);
  }

  private void pursue(Want want) {
    Obtainable by = want.flavor() == null ? null : sight.obtainable().get(want.flavor());
    if (want.coming() == 0) {
      grant(want);
    } else if (by != null && sight.clusters().contains(cluster(by))) {
      switch (by.provisioning().by()) {
        case PLACEHOLDER_PODS -> placeholders(want, by);
        case PROVISIONING_REQUEST -> request(want, by);
      }
    }
  }

  private String cluster(Obtainable by) {
    String named = by.flavor().nodeLabels().get(NodeClusters.CLUSTER);
    return named == null ? sight.defaultCluster() : named;
  }

  private void grant(Want want) {
    CallingObject request = request(want);
    List<ProvisionedSlice> provisioned = new ArrayList<>();
    if (request != null) {
      Standing standing = RequestState.of(request.object()).standing();
      boolean confirmed = standing == Standing.PROVISIONED;
      if (standing == Standing.WAITING
          && past.lasted("there " + want.name(), now).compareTo(CONFIRMED_WITHIN) < 0) {
        return;
      }
      String className = request.object().path("spec").path("provisioningClassName").asText();
      for (String slice : confirmed ? want.there() : List.<String>of()) {
        provisioned.add(
            new ProvisionedSlice(slice, request.namespace(), request.name(), className));
      }
    }
    grants.add(new Grant(want, provisioned));
  }

  private void placeholders(Want want, Obtainable by) {
    deletions.addAll(objects(want, CallingKind.PROVISIONING_REQUEST));
    deletions.addAll(objects(want, CallingKind.POD_TEMPLATE));
    Map<String, CallingObject> there = new HashMap<>();
    objects(want, CallingKind.POD).forEach(pod -> there.put(pod.name(), pod));
    CallingManifests manifests = new CallingManifests(want, by);
    boolean allOnNodes = true;
    for (int slice = 0; slice < want.slices(); slice++) {
      for (int host = 0; host < want.hosts(); host++) {
        CallingObject pod = there.remove(CallingManifests.podName(want, slice, host));
        boolean alive = pod != null && !pod.isEnding() && !pod.isOver();
        allOnNodes &= alive && pod != null && pod.isOnNode();
        if (pod == null) {
          creations.add(
              new Creation(want, cluster(by), CallingKind.POD, manifests.placeholder(slice, host)));
        } else if (pod.isOver()) {
          deletions.add(pod);
        }
      }
    }
    deletions.addAll(there.values());
    if (allOnNodes) {
      refuseIfLate(want, "its placeholder pods are all on nodes, which do not become ready slices");
    }
  }

  private void refuseIfLate(Want want, String why) {
    if (past.lasted("given " + want.name(), now).compareTo(READY_WITHIN) >= 0) {
      refusals.add(new Refusal(want.rung(), want.name(), why));
    }
  }

  private void request(Want want, Obtainable by) {
    deletions.addAll(objects(want, CallingKind.POD));
    CallingObject request = request(want);
    if (request == null) {
      CallingManifests manifests = new CallingManifests(want, by);
      if (objects(want, CallingKind.POD_TEMPLATE).isEmpty()) {
        creations.add(
            new Creation(want, cluster(by), CallingKind.POD_TEMPLATE, manifests.podTemplate()));
      }
      int number = past.tries(want.name()) + 1;
      creations.add(
          new Creation(
              want, cluster(by), CallingKind.PROVISIONING_REQUEST, manifests.request(number)));
    } else if (!request.isEnding()) {
      RequestState state = RequestState.of(request.object());
      switch (state.standing()) {
        case WAITING -> {}
        case PROVISIONED ->
            refuseIfLate(want, "its request is provisioned, and its nodes do not become ready");
        case OVER -> tryAgain(want, request, by.provisioning(), state.said());
      }
    }
  }

  private void tryAgain(Want want, CallingObject request, Provisioning provisioning, String said) {
    int number =
        request.object().path("metadata").path("annotations").path(CallingManifests.TRY).asInt(1);
    Duration lasted = past.lasted("over " + request.uid(), now);
    if (number > provisioning.retries()) {
      refusals.add(new Refusal(want.rung(), want.name(), said));
    } else if (lasted.compareTo(provisioning.pauseAfter(number)) >= 0) {
      past.tried(want.name(), number);
      deletions.add(request);
    }
  }

  /** Deletes objects without a want and without a slice in use. */
  private void sweep() {
    Set<String> wanted = new HashSet<>(sight.answered());
    sight.wants().forEach(want -> wanted.add(want.name()));
    sight.provisioned().forEach(slice -> wanted.add(slice.request()));
    for (CallingObject object : sight.seen()) {
      if (!wanted.contains(object.seek())) {
        deletions.add(object);
      }
    }
    deletions.removeIf(CallingObject::isEnding);
  }

  private void reclaim() {
    Set<String> revoked = new HashSet<>();
    for (CallingObject object : sight.seen()) {
      if (object.kind() == CallingKind.PROVISIONING_REQUEST
          && RequestState.isRevoked(object.object())) {
        revoked.add(object.namespace() + "/" + object.name());
      }
    }
    for (ProvisionedSlice slice : sight.provisioned()) {
      if (sight.kept().contains(slice.slice())
          && revoked.contains(slice.namespace() + "/" + slice.request())) {
        reclaimed.add(slice.slice());
      }
    }
  }
}
