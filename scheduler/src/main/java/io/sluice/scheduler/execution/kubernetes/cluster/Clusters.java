// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeFleet;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeWatch;
import io.sluice.scheduler.execution.kubernetes.provisioning.CallingDoor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of a kubeconfig: one for each context, with its name. Contexts that are added,
 * removed or changed in the file take effect within seconds; the default cluster never changes.
 */
public final class Clusters implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Clusters.class);
  private static final Duration READ_EVERY = Duration.ofSeconds(5);

  /** Delay before a removed cluster is closed: its users have released it by then. */
  private static final Duration CLOSED_AFTER = Duration.ofSeconds(15);

  private final Path file;
  private final Bounds bounds;
  private final SerialExecutor upkeep = new SerialExecutor("clusters");
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Map<String, Known> byName = Map.of();
  private String text;

  /**
   * Request limits for each API server.
   *
   * @param perSecond requests per second
   * @param atATime concurrent requests
   */
  public record Bounds(int perSecond, int atATime) {
    private static final int AT_A_TIME = 16;

    /** Returns the bounds for a number of requests per second. */
    public static Bounds of(int perSecond) {
      return new Bounds(perSecond, AT_A_TIME);
    }
  }

  /**
   * A cluster and its connection settings.
   *
   * @param way the file's entries for its context, cluster and user
   */
  private record Known(Cluster cluster, List<Object> way) {}

  private Clusters(Path file, Bounds bounds, String text) {
    this.file = file;
    this.bounds = bounds;
    this.text = text;
  }

  /**
   * Reads the file without a request to any cluster.
   *
   * @throws InvalidValueException if the file cannot be read or has no contexts
   */
  public static Clusters read(Path kubeconfig, Bounds bounds) {
    String text = text(kubeconfig);
    Clusters clusters = new Clusters(kubeconfig, bounds, text);
    try {
      clusters.byName = clusters.parse(text);
      return clusters;
    } catch (InvalidValueException unreadable) {
      clusters.close();
      throw unreadable;
    }
  }

  private static String text(Path kubeconfig) {
    try {
      return Files.readString(kubeconfig);
    } catch (IOException failure) {
      throw new InvalidValueException(
          "cannot read kubeconfig "
              + kubeconfig
              + ": "
              + failure.getClass().getSimpleName().replace("Exception", ""));
    }
  }

  /** Parses a kubeconfig; clusters with unchanged settings keep their objects. */
  private Map<String, Known> parse(String read) {
    Map<String, Known> found = new LinkedHashMap<>();
    try {
      io.fabric8.kubernetes.api.model.Config parsed =
          Serialization.unmarshal(read, io.fabric8.kubernetes.api.model.Config.class);
      for (NamedContext context : parsed.getContexts()) {
        Labels unused = Labels.of(Map.of(NodeClusters.CLUSTER, context.getName()));
        List<Object> way = way(parsed, context);
        Known known = byName.get(context.getName());
        found.put(
            context.getName(),
            known != null && known.way().equals(way)
                ? known
                : new Known(connected(context.getName()), way));
      }
    } catch (RuntimeException unreadable) {
      closeNew(found.values());
      throw new InvalidValueException("kubeconfig " + file + ": " + firstLine(unreadable));
    }
    if (found.isEmpty()) {
      throw new InvalidValueException("kubeconfig " + file + " has no contexts");
    }
    return found;
  }

  private void closeNew(Collection<Known> made) {
    made.stream().filter(one -> !byName.containsValue(one)).forEach(one -> one.cluster().close());
  }

  private static List<Object> way(
      io.fabric8.kubernetes.api.model.Config file, NamedContext context) {
    List<Object> way = new ArrayList<>();
    file.getClusters().stream()
        .filter(one -> one.getName().equals(context.getContext().getCluster()))
        .forEach(way::add);
    file.getUsers().stream()
        .filter(one -> one.getName().equals(context.getContext().getUser()))
        .forEach(way::add);
    return way;
  }

  private static String firstLine(RuntimeException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  private Cluster connected(String context) {
    Config config = Config.fromKubeconfig(context, file.toAbsolutePath().toFile());
    // The callers retry, since they know whether the request still matters.
    config.setRequestRetryBackoffLimit(0);
    return new Cluster(
        context,
        new KubernetesClientBuilder().withConfig(config).build(),
        new RequestBounds(bounds.perSecond(), bounds.atATime()));
  }

  /** Starts watching the file. */
  public void follow() {
    upkeep.later(READ_EVERY, this::readAgain);
  }

  /** Registers a listener for changes of the clusters; a thread of this class calls it. */
  public void listen(Runnable listener) {
    listeners.add(listener);
  }

  public void unlisten(Runnable listener) {
    listeners.remove(listener);
  }

  private void readAgain() {
    try {
      String now = text(file);
      if (!now.equals(text)) {
        change(parse(now));
        text = now;
      }
    } catch (InvalidValueException unreadable) {
      LOG.warnf("the kubeconfig is not reloaded: %s", unreadable.getMessage());
    } finally {
      upkeep.later(READ_EVERY, this::readAgain);
    }
  }

  /**
   * Applies a change of the file. The default cluster must not change: its fleet's names have no
   * prefix, unlike those of other clusters.
   */
  private void change(Map<String, Known> found) {
    String first = find(null).name();
    if (!first.equals(found.keySet().iterator().next())) {
      closeNew(found.values());
      LOG.warnf("the kubeconfig is not reloaded: the first context of %s must be %s", file, first);
      return;
    }
    Map<String, Known> before = byName;
    byName = found;
    LOG.infof("the kubeconfig has the clusters %s", found.keySet());
    listeners.forEach(Runnable::run);
    before.values().stream()
        .filter(one -> !found.containsValue(one))
        .forEach(one -> upkeep.later(CLOSED_AFTER, one.cluster()::close));
  }

  /**
   * Returns watches of the clusters' nodes, the default cluster first; they follow changes of the
   * clusters.
   *
   * @throws InvalidValueException if a cluster's name is not a label value
   */
  public NodeWatches nodes(AcceleratorCatalogue catalogue, Clock clock) {
    return new NodeWatches(catalogue, clock);
  }

  /** Returns access to provisioning objects in each current cluster, the default one first. */
  public List<CallingDoor> callingDoors() {
    return all().stream().map(cluster -> (CallingDoor) new ClusterCalling(cluster)).toList();
  }

  /** Keeps one watch of nodes for each cluster. */
  final class NodeWatches {
    private final AcceleratorCatalogue catalogue;
    private final Clock clock;
    private Map<Cluster, NodeWatch> watches = Map.of();

    private NodeWatches(AcceleratorCatalogue catalogue, Clock clock) {
      this.catalogue = catalogue;
      this.clock = clock;
      List<NodeWatch> unused = all();
    }

    /** Returns the watches of all current clusters; closes those of removed clusters. */
    public synchronized List<NodeWatch> all() {
      Map<Cluster, NodeWatch> now = new LinkedHashMap<>();
      for (Known known : byName.values()) {
        Cluster cluster = known.cluster();
        NodeWatch there = watches.get(cluster);
        now.put(cluster, there == null ? watch(cluster, now.isEmpty()) : there);
      }
      watches = now;
      return List.copyOf(now.values());
    }

    private NodeWatch watch(Cluster cluster, boolean isDefault) {
      NodeFleet reading =
          isDefault
              ? NodeFleet.ofDefault(cluster.name(), catalogue)
              : NodeFleet.ofAnother(cluster.name(), catalogue);
      return new NodeWatch(
          cluster.client(), reading, clock, () -> cluster.reachability().awaySince() != null);
    }
  }

  /** Returns all clusters, the default one first. */
  public List<Cluster> all() {
    return byName.values().stream().map(Known::cluster).toList();
  }

  /**
   * Returns the cluster of a name.
   *
   * @param name null: the default cluster
   * @throws InvalidValueException if there is no such cluster
   */
  public Cluster find(@Nullable String name) {
    Map<String, Known> now = byName;
    Known found = name == null ? now.values().iterator().next() : now.get(name);
    if (found == null) {
      throw new InvalidValueException(
          "there is no cluster " + name + ": the kubeconfig has " + now.keySet());
    }
    return found.cluster();
  }

  @Override
  public void close() {
    upkeep.close();
    all().forEach(Cluster::close);
  }
}
