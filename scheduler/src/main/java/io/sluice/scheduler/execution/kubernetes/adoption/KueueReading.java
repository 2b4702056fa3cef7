// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.cluster.KueuePresence;
import io.sluice.scheduler.kueue.KueueSetup;
import io.sluice.scheduler.kueue.KueueSetup.Controller;
import io.sluice.scheduler.kueue.KueueSetup.Other;
import io.sluice.scheduler.kueue.KueueSource;
import io.sluice.scheduler.kueue.KueueUnreadableException;
import io.sluice.scheduler.kueue.SeenWorkload;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads Kueue's objects from the clusters of a kubeconfig. */
final class KueueReading implements KueueSource {
  private static final String GROUP = KueuePresence.GROUP;
  private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");
  private static final int PAGE = 500;

  /** More objects than any real installation has; the bound protects the heap. */
  private static final int OBJECTS_MAX = 20_000;

  private static final int WORKLOADS_MAX = 200_000;

  /** The most namespaces to check; each takes a request. */
  private static final int NAMESPACES_ASKED_MAX = 1_000;

  private static final String UNBOUND =
      "Sluice may not run jobs there, and those that are admitted would wait: bind the ClusterRole"
          + " sluice-run in it, as deploy/overlays/example/team.yaml does";
  private static final String WORKLOADS = "workloads";
  private static final Set<String> NEEDED =
      Set.of("resourceflavors", "clusterqueues", "localqueues");
  private static final List<String> TAKEN =
      List.of(
          "topologies",
          "resourceflavors",
          "cohorts",
          "clusterqueues",
          "localqueues",
          "workloadpriorityclasses");
  private static final List<String> LEFT =
      List.of(
          "admissionchecks",
          "provisioningrequestconfigs",
          "multikueueconfigs",
          "multikueueclusters");
  private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/";
  private static final String OF_KUEUE = "?labelSelector=app.kubernetes.io%2Fname%3Dkueue";

  private final @Nullable Clusters clusters;
  private final String namespace;

  /**
   * Creates a reader that asks the clusters on demand.
   *
   * @param clusters null: none are configured
   * @param namespace the namespace in which Kueue is installed
   */
  public KueueReading(@Nullable Clusters clusters, String namespace) {
    this.clusters = clusters;
    this.namespace = namespace;
  }

  @Override
  public KueueSetup read(@Nullable String name) {
    Clusters known = clusters;
    if (known == null) {
      throw new InvalidValueException(
          "this server has no clusters: it needs to be started with --kubeconfig");
    }
    List<String> names = known.all().stream().map(Cluster::name).toList();
    if (name == null && names.size() > 1) {
      throw new InvalidValueException("cluster: must be one of " + String.join(", ", names));
    }
    Cluster cluster = known.find(name);
    try {
      return read(cluster, cluster.name().equals(names.get(0)));
    } catch (ClusterException failure) {
      throw new KueueUnreadableException(failure.reason() == Reason.AWAY, failure.text(), failure);
    }
  }

  private KueueSetup read(Cluster cluster, boolean isDefault) {
    String version = version(cluster);
    Set<String> served =
        new TreeSet<>(
            cluster.get(GROUP + "/" + version).path("resources").findValuesAsText("name"));
    List<String> missing = new ArrayList<>(TAKEN);
    missing.add(WORKLOADS);
    missing.removeAll(served);
    for (String kind : missing) {
      if (NEEDED.contains(kind)) {
        throw new KueueUnreadableException(
            false,
            "cluster %s has no %s in kueue.x-k8s.io/%s: a CRD of Kueue is not installed"
                .formatted(cluster.name(), kind, version),
            null);
      }
    }
    String path = GROUP + "/" + version + "/";
    List<ObjectNode> objects = new ArrayList<>();
    for (String kind : TAKEN) {
      each(cluster, served, path, kind, OBJECTS_MAX, objects::add);
    }
    List<Other> others = new ArrayList<>();
    for (String kind : LEFT) {
      each(cluster, served, path, kind, OBJECTS_MAX, object -> others.add(other(object)));
    }
    others.addAll(unbound(cluster, objects));
    return new KueueSetup(
        cluster.name(),
        isDefault,
        version,
        controllers(cluster),
        webhooks(cluster),
        objects,
        others,
        missing,
        workloads(cluster, served, path));
  }

  /** Returns the namespaces with LocalQueues in which Sluice lacks the rights to run jobs. */
  private static List<Other> unbound(Cluster cluster, List<ObjectNode> objects) {
    Set<String> namespaces = new TreeSet<>();
    for (ObjectNode object : objects) {
      if (object.path("kind").asText().equals("LocalQueue")) {
        namespaces.add(object.path("metadata").path("namespace").asText());
      }
    }
    List<Other> unbound = new ArrayList<>();
    namespaces.stream()
        .limit(NAMESPACES_ASKED_MAX)
        .filter(name -> !cluster.isPermitted("create", "batch", "jobs", name))
        .forEach(name -> unbound.add(new Other("Namespace", "", name, UNBOUND)));
    if (namespaces.size() > NAMESPACES_ASKED_MAX) {
      unbound.add(
          new Other(
              "Namespace",
              "",
              "*",
              "only the first %d were asked whether Sluice may run jobs there"
                  .formatted(NAMESPACES_ASKED_MAX)));
    }
    return unbound;
  }

  private static String version(Cluster cluster) {
    List<String> there;
    try {
      there = cluster.get(GROUP).path("versions").findValuesAsText("version");
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.GONE) {
        throw failure;
      }
      there = List.of();
    }
    for (String version : VERSIONS) {
      if (there.contains(version)) {
        return version;
      }
    }
    String has = there.isEmpty() ? "" : ", only " + String.join(", ", there);
    throw new KueueUnreadableException(
        false,
        "cluster %s has no kueue.x-k8s.io/%s%s: Kueue's CRDs are not installed"
            .formatted(cluster.name(), VERSIONS.get(0), has),
        null);
  }

  private static List<SeenWorkload> workloads(Cluster cluster, Set<String> served, String path) {
    Set<String> kinds = new TreeSet<>();
    for (ClusterKind kind : AdoptionWatch.KINDS) {
      if (kind
          != ClusterKind.POD) { // Kueue's pods carry Kueue's gate, which Sluice must not remove
        kinds.add(kind.apiVersion().replaceFirst("/?[^/]*$", "") + "/" + kind.word());
      }
    }
    List<SeenWorkload> workloads = new ArrayList<>();
    each(
        cluster,
        served,
        path,
        WORKLOADS,
        WORKLOADS_MAX,
        workload -> {
          SeenWorkload seen = SeenWorkload.of(workload, kinds);
          if (seen != null) {
            workloads.add(seen);
          }
        });
    return workloads;
  }

  /** Reads all objects of a kind, page by page. */
  private static void each(
      Cluster cluster,
      Set<String> served,
      String path,
      String kind,
      int most,
      Consumer<ObjectNode> reader) {
    if (!served.contains(kind)) {
      return;
    }
    int count = 0;
    String next = "";
    do {
      String query = "?limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + encoded(next));
      JsonNode page = page(cluster, path + kind + query, kind);
      for (JsonNode item : page.path("items")) {
        if (++count > most) {
          throw new KueueUnreadableException(
              false, "cluster %s has more than %d %s".formatted(cluster.name(), most, kind), null);
        }
        if (item instanceof ObjectNode object) {
          reader.accept(object);
        }
      }
      next = page.path("metadata").path("continue").asText("");
    } while (!next.isEmpty());
  }

  private static JsonNode page(Cluster cluster, String path, String kind) {
    try {
      return cluster.get(path);
    } catch (ClusterException failure) {
      // Kueue's controller converts objects that are stored in an older version.
      String hint =
          failure.text().contains("conversion webhook")
              ? "; Kueue's controller has to be at work while its objects are read"
              : "";
      throw new KueueUnreadableException(
          failure.reason() == Reason.AWAY || failure.reason() == Reason.GONE,
          "cannot read the " + kind + ": " + failure.text() + hint,
          failure);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static Other other(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new Other(
        object.path("kind").asText(),
        metadata.path("namespace").asText(""),
        metadata.path("name").asText(),
        "there are no admission checks here, and no MultiKueue");
  }

  private List<Controller> controllers(Cluster cluster) {
    List<Controller> controllers = new ArrayList<>();
    for (JsonNode deployment : controllerDeployments(cluster)) {
      int replicas = deployment.path("spec").path("replicas").asInt(1);
      JsonNode metadata = deployment.path("metadata");
      if (replicas > 0) {
        controllers.add(
            new Controller(
                metadata.path("namespace").asText(), metadata.path("name").asText(), replicas));
      }
    }
    return controllers;
  }

  private List<JsonNode> controllerDeployments(Cluster cluster) {
    try {
      return cluster.deployments(namespace, KueuePresence.SELECTOR);
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.REFUSED) {
        throw failure;
      }
      throw new KueueUnreadableException(
          false,
          "cannot read whether Kueue is at work in namespace %s: install deploy/components/beside-kueue, or name its namespace with --kueue-namespace: %s"
              .formatted(namespace, failure.text()),
          failure);
    }
  }

  /**
   * Returns the webhooks as {@code kubectl delete} names them; empty without the right to list
   * them.
   */
  private static List<String> webhooks(Cluster cluster) {
    List<String> webhooks = new ArrayList<>();
    for (String kind :
        List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")) {
      try {
        for (JsonNode one : cluster.get(WEBHOOKS + kind + OF_KUEUE).path("items")) {
          webhooks.add(kind + "/" + one.path("metadata").path("name").asText());
        }
      } catch (ClusterException failure) {
        if (failure.reason() != Reason.REFUSED) {
          throw failure;
        }
      }
    }
    return webhooks;
  }
}
