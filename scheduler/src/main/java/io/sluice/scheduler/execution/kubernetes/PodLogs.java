// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the logs of pods from their clusters. Each read transfers the log from its beginning,
 * because the API has no offset. Logs of deleted pods are empty.
 */
final class PodLogs implements AttemptLogs {
  private static final Logger LOG = Logger.getLogger(PodLogs.class);
  private final Clusters clusters;

  PodLogs(Clusters clusters) {
    this.clusters = clusters;
  }

  @Override
  public List<String> pods(AttemptKey attempt) {
    TreeSet<String> names = new TreeSet<>();
    for (Cluster cluster : clusters.all()) {
      find(cluster, attempt).forEach(pod -> names.add(pod.getMetadata().getName()));
    }
    return List.copyOf(names);
  }

  private static List<Pod> find(Cluster cluster, AttemptKey attempt) {
    try {
      return cluster
          .client()
          .pods()
          .inAnyNamespace()
          .withLabelSelector(LabelledAttempt.selector(attempt))
          .list()
          .getItems();
    } catch (KubernetesClientException failure) {
      LOG.warnf("cannot list pods of cluster %s: %s", cluster.name(), failure.getMessage());
      return List.of();
    }
  }

  @Override
  public Chunk read(AttemptKey attempt, String pod, long offset, int bytesMax) {
    for (Cluster cluster : clusters.all()) {
      for (Pod one : find(cluster, attempt)) {
        if (one.getMetadata().getName().equals(pod)) {
          return read(cluster, one, offset, bytesMax);
        }
      }
    }
    return new Chunk(new byte[0], Math.max(offset, 0), true);
  }

  private static Chunk read(Cluster cluster, Pod pod, long offset, int bytesMax) {
    byte[] all = text(cluster, pod);
    int from = (int) Math.min(all.length, offset < 0 ? Math.max(all.length + offset, 0) : offset);
    int to = Math.min(all.length, from + bytesMax);
    boolean ended = SeenPod.of(pod).over() && to == all.length;
    return new Chunk(Arrays.copyOfRange(all, from, to), to, ended);
  }

  private static byte[] text(Cluster cluster, Pod pod) {
    try {
      @Nullable String text =
          cluster
              .client()
              .pods()
              .inNamespace(pod.getMetadata().getNamespace())
              .withName(pod.getMetadata().getName())
              .inContainer(pod.getSpec().getContainers().get(0).getName())
              .getLog();
      return (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
    } catch (KubernetesClientException notYet) {
      return new byte[0];
    }
  }
}
