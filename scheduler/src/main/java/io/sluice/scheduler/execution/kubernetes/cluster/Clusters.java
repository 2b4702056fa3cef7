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
 * The clusters of a kubeconfig: one for each of its contexts, named like it. Contexts that are
 * added to the file, taken away or changed are so here within seconds; the default cluster stays.
 */
public final class Clusters implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Clusters.class);
  private static final Duration READ_EVERY = Duration.ofSeconds(5);

  /** Those who used a cluster that is there no more have let go of it by then. */
  private static final Duration CLOSED_AFTER = Duration.ofSeconds(15);

  private final Path file;
  private final Bounds bounds;
  private final SerialExecutor upkeep = new SerialExecutor("clusters");
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Map<String, Known> byName = Map.of();
  private String text;

  /**
   * How much API servers may be asked.
   *
   * @param perSecond requests to each
   * @param atATime requests to each that were not answered
   */
  public record Bounds(int perSecond, int atATime) {
    private static final int AT_A_TIME = 16;

    /** Bounds for so many requests a second. */
    public static Bounds of(int perSecond) {
      return new Bounds(perSecond, AT_A_TIME);
    }
  }

  /**
   * A cluster and how it is reached.
   *
   * @param way what the file says of it, its context's cluster and user
   */
  private record Known(Cluster cluster, List<Object> way) {}

  private Clusters(Path file, Bounds bounds, String text) {
    this.file = file;
    this.bounds = bounds;
    this.text = text;
  }

  /**
   * Reads the file; no cluster is asked for anything yet.
   *
   * @throws InvalidValueException if it cannot be read or has no contexts
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

  /** The clusters of a file; those that are known and reached as before are the same objects. */
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
    // What is not answered is asked again by those who know whether it still matters.
    config.setRequestRetryBackoffLimit(0);
    return new Cluster(
        context,
        new KubernetesClientBuilder().withConfig(config).build(),
        new RequestBounds(bounds.perSecond(), bounds.atATime()));
  }

  /** Begins to follow the file. */
  public void follow() {
    upkeep.later(READ_EVERY, this::readAgain);
  }

  /** Has somebody told, in a thread of this class, when clusters have come, gone or changed. */
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
      LOG.warnf("the clusters stay as they are: %s", unreadable.getMessage());
    } finally {
      upkeep.later(READ_EVERY, this::readAgain);
    }
  }

  /** The default one cannot change: what it has is named otherwise than what the others have. */
  private void change(Map<String, Known> found) {
    String first = find(null).name();
    if (!first.equals(found.keySet().iterator().next())) {
      closeNew(found.values());
      LOG.warnf("the clusters stay as they are: kubeconfig %s must begin with %s", file, first);
      return;
    }
    Map<String, Known> before = byName;
    byName = found;
    LOG.infof("the clusters are %s", found.keySet());
    listeners.forEach(Runnable::run);
    before.values().stream()
        .filter(one -> !found.containsValue(one))
        .forEach(one -> upkeep.later(CLOSED_AFTER, one.cluster()::close));
  }

  /**
   * Has the nodes of the clusters looked at, the default one first: of those that there are
   * whenever the result is asked.
   *
   * @throws InvalidValueException if the name of one is no label value
   */
  public NodeWatches nodes(AcceleratorCatalogue catalogue, Clock clock) {
    return new NodeWatches(catalogue, clock);
  }

  /** Where capacity of the clusters that there are now is called for, the default one first. */
  public List<CallingDoor> callingDoors() {
    return all().stream().map(cluster -> (CallingDoor) new ClusterCalling(cluster)).toList();
  }

  /** A look at the nodes of each cluster. */
  final class NodeWatches {
    private final AcceleratorCatalogue catalogue;
    private final Clock clock;
    private Map<Cluster, NodeWatch> watches = Map.of();

    private NodeWatches(AcceleratorCatalogue catalogue, Clock clock) {
      this.catalogue = catalogue;
      this.clock = clock;
      List<NodeWatch> unused = all();
    }

    /** Of all clusters that there are now; those of others are asked no more. */
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

  /** All of them, the default one first. */
  public List<Cluster> all() {
    return byName.values().stream().map(Known::cluster).toList();
  }

  /**
   * The cluster of a name.
   *
   * @param name null: the default one
   * @throws InvalidValueException if there is none
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
