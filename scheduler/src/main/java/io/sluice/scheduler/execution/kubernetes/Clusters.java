// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeFleet;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The clusters of a kubeconfig: one for each of its contexts, named like it. */
public final class Clusters implements AutoCloseable {
  private final Map<String, Cluster> byName = new LinkedHashMap<>();

  /**
   * How much API servers may be asked.
   *
   * @param perSecond requests to each
   * @param atATime requests to each that were not answered
   */
  public record Bounds(int perSecond, int atATime) {
    public static final Bounds DEFAULT = new Bounds(200, 16);
  }

  private Clusters() {}

  /**
   * Reads the file; no cluster is asked for anything yet.
   *
   * @throws InvalidValueException if it cannot be read or has no contexts
   */
  public static Clusters read(Path kubeconfig, Bounds bounds) {
    Clusters clusters = new Clusters();
    String text;
    try {
      text = Files.readString(kubeconfig);
    } catch (IOException failure) {
      throw new InvalidValueException(
          "cannot read kubeconfig "
              + kubeconfig
              + ": "
              + failure.getClass().getSimpleName().replace("Exception", ""));
    }
    try {
      io.fabric8.kubernetes.api.model.Config file =
          Serialization.unmarshal(text, io.fabric8.kubernetes.api.model.Config.class);
      for (NamedContext context : file.getContexts()) {
        clusters.add(context.getName(), kubeconfig, bounds);
      }
    } catch (RuntimeException unreadable) {
      clusters.close();
      throw new InvalidValueException("kubeconfig " + kubeconfig + ": " + firstLine(unreadable));
    }
    if (clusters.byName.isEmpty()) {
      throw new InvalidValueException("kubeconfig " + kubeconfig + " has no contexts");
    }
    return clusters;
  }

  private static String firstLine(RuntimeException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  private void add(String context, Path file, Bounds bounds) {
    Config config = Config.fromKubeconfig(context, file.toAbsolutePath().toFile());
    // What is not answered is asked again by those who know whether it still matters.
    config.setRequestRetryBackoffLimit(0);
    byName.put(
        context,
        new Cluster(
            context,
            new KubernetesClientBuilder().withConfig(config).build(),
            new RequestBounds(bounds.perSecond(), bounds.atATime())));
  }

  /**
   * A look at the nodes of each, the default one first.
   *
   * @throws InvalidValueException if the name of one is no label value
   */
  public List<NodeWatch> nodes(AcceleratorCatalogue catalogue, Clock clock) {
    List<NodeWatch> watches = new ArrayList<>();
    for (Cluster cluster : byName.values()) {
      NodeFleet reading =
          watches.isEmpty()
              ? NodeFleet.ofDefault(cluster.name(), catalogue)
              : NodeFleet.ofAnother(cluster.name(), catalogue);
      watches.add(new NodeWatch(cluster.client(), reading, clock));
    }
    return watches;
  }

  /** All of them, the default one first. */
  Iterable<Cluster> all() {
    return byName.values();
  }

  /**
   * The cluster of a name.
   *
   * @param name null: the default one
   * @throws InvalidValueException if there is none
   */
  Cluster find(@Nullable String name) {
    Cluster found = name == null ? byName.values().iterator().next() : byName.get(name);
    if (found == null) {
      throw new InvalidValueException(
          "there is no cluster " + name + ": the kubeconfig has " + byName.keySet());
    }
    return found;
  }

  @Override
  public void close() {
    byName.values().forEach(Cluster::close);
  }
}
