// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Reads the logs of pods from their clusters. Logs of deleted pods are empty. */
public final class PodLogs implements AttemptLogs {
  /** Streams of clusters that are open at once; more pods wait until others have ended. */
  private static final int STREAMS_MAX = 512;

  private static final Logger LOG = Logger.getLogger(PodLogs.class);
  private final Clusters clusters;
  private final Semaphore streams = new Semaphore(STREAMS_MAX);

  public PodLogs(Clusters clusters) {
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
  public Reader open(AttemptKey attempt, String pod, @Nullable Integer tail, boolean follow) {
    for (Cluster cluster : clusters.all()) {
      for (Pod one : find(cluster, attempt)) {
        if (one.getMetadata().getName().equals(pod)) {
          ContainerLog log = ContainerLog.of(cluster.client(), one);
          return follow ? new FollowedLog(log, tail, streams) : new WholeLog(log, tail);
        }
      }
    }
    return new NoLog();
  }

  /** The log of a pod that does not exist. */
  private static final class NoLog implements Reader {
    @Override
    public Piece read(int bytesMax) {
      return new Piece(new byte[0], true);
    }

    @Override
    public void close() {}
  }
}
