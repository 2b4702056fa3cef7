// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.KueueObjects;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.kueue.SeenWorkload.Holding;
import io.sluice.scheduler.kueue.SeenWorkload.Standing;
import io.sluice.scheduler.store.cluster.KueuePlace;
import io.sluice.scheduler.submission.Numbered;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The plan of an import: which objects of Kueue become which objects here. A pure function of the
 * set-up.
 *
 * @param objects to be written, numbered by their places in the set-up
 * @param refused violations of other objects; if there is any, nothing may be written
 * @param others objects that are not imported
 * @param places of waiting workloads, the head first
 * @param running quota held by workloads that run under Kueue, by queue, flavor and resource
 */
public record KueuePlan(
    KueueSetup setup,
    List<Numbered<QuotaObject>> objects,
    List<Refused> refused,
    List<KueueSetup.Other> others,
    List<KueuePlace> places,
    SortedMap<Holding, Long> running) {
  private static final int FIRST = 1;

  public KueuePlan {
    objects = List.copyOf(objects);
    refused = List.copyOf(refused);
    others = List.copyOf(others);
    places = List.copyOf(places);
  }

  /**
   * An object that cannot be imported.
   *
   * @param number its place in the set-up, from 1
   */
  public record Refused(int number, String kind, String namespace, String name, Violation why) {}

  /**
   * Plans an import.
   *
   * @param withoutChecks whether ClusterQueues are imported without their admission checks;
   *     otherwise those that have any are refused
   */
  public static KueuePlan of(KueueSetup setup, ReadingTerms terms, boolean withoutChecks) {
    List<Numbered<QuotaObject>> objects = new ArrayList<>();
    List<Refused> refused = new ArrayList<>();
    List<KueueSetup.Other> others = new ArrayList<>(setup.others());
    for (int number = FIRST; number <= setup.objects().size(); number++) {
      ObjectNode found = setup.objects().get(number - FIRST);
      ObjectNode taken = KueueObjects.take(found, setup.isDefault() ? null : setup.cluster());
      if (withoutChecks && KueueObjects.leaveOutChecks(taken)) {
        others.add(other(found, "is taken without its admission checks"));
      }
      try {
        objects.add(new Numbered<>(number, read(taken, terms)));
      } catch (InvalidManifestException invalid) {
        refused.add(refused(number, found, invalid.violations().get(0)));
      }
    }
    return new KueuePlan(
        setup, objects, refused, others, places(setup.workloads()), running(setup.workloads()));
  }

  private static QuotaObject read(ObjectNode taken, ReadingTerms terms) {
    byte[] text = taken.toString().getBytes(StandardCharsets.UTF_8);
    Manifest manifest = ManifestReader.readPlaced(text, terms).get(0).manifest();
    return ((Manifest.QuotaManifest) manifest).object();
  }

  private static KueueSetup.Other other(JsonNode object, String reason) {
    JsonNode metadata = object.path("metadata");
    return new KueueSetup.Other(
        object.path("kind").asText(),
        metadata.path("namespace").asText(""),
        metadata.path("name").asText(),
        reason);
  }

  private static Refused refused(int number, JsonNode object, Violation why) {
    KueueSetup.Other named = other(object, "");
    return new Refused(number, named.kind(), named.namespace(), named.name(), why);
  }

  /** If several workloads have the same owner, the first place counts. */
  private static List<KueuePlace> places(List<SeenWorkload> workloads) {
    Map<UUID, KueuePlace> places = new TreeMap<>();
    for (SeenWorkload workload : workloads) {
      KueuePlace place = workload.place();
      if (place != null) {
        places.merge(place.uid(), place, (one, other) -> one.compareTo(other) <= 0 ? one : other);
      }
    }
    return places.values().stream().sorted().toList();
  }

  private static SortedMap<Holding, Long> running(List<SeenWorkload> workloads) {
    TreeMap<Holding, Long> running = new TreeMap<>();
    for (SeenWorkload workload : workloads) {
      workload
          .usage()
          .amounts()
          .forEach((holding, used) -> running.merge(holding, used, Long::sum));
    }
    return running;
  }

  /** Number of workloads with this outcome. */
  public long count(Standing standing) {
    return setup.workloads().stream().filter(one -> one.standing() == standing).count();
  }

  /** The object of a violation that was found when it was to be written. */
  public Refused refused(Violation found) {
    return refused(found.document(), setup.objects().get(found.document() - FIRST), found);
  }

  /**
   * The conflict of an object with a stored one of the same name; null: there is none.
   *
   * @param there null: there is no such object
   */
  static @Nullable Violation conflict(Numbered<QuotaObject> wanted, @Nullable QuotaObject there) {
    if (!(wanted.value() instanceof ResourceFlavor flavor)
        || !(there instanceof ResourceFlavor other)) {
      return null;
    }
    String before = other.nodeLabels().get(NodeClusters.CLUSTER);
    String now = flavor.nodeLabels().get(NodeClusters.CLUSTER);
    if (Objects.equals(before, now)) {
      return null;
    }
    ObjectKey key = flavor.key();
    return new Violation(
        wanted.document(),
        "metadata.name",
        key.name(),
        "is a ResourceFlavor of %s already: one of the two needs another name"
            .formatted(before == null ? "the default cluster" : "cluster " + before));
  }
}
