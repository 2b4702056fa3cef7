// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.security.NamespaceScope;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which events a watcher is given: those that meet all of its conditions. Null and empty mean no
 * condition.
 *
 * @param kinds of objects, see {@link EventObject#kinds}
 * @param queue name of a LocalQueue, of any namespace unless one is given
 * @param readable namespaces that the watcher may read: events of jobs and runs elsewhere are not
 *     given to it
 */
public record WatchFilter(
    @Nullable JobId job,
    @Nullable UUID run,
    @Nullable String queue,
    @Nullable String clusterQueue,
    @Nullable String namespace,
    Set<String> kinds,
    NamespaceScope readable) {
  /** All events. */
  public static final WatchFilter ALL =
      new WatchFilter(null, null, null, null, null, Set.of(), NamespaceScope.ALL);

  public WatchFilter {
    kinds = new TreeSet<>(kinds);
  }

  boolean matches(JournalEvent event) {
    return (job == null || job.equals(event.job()))
        && (run == null || run.equals(event.runId()))
        && (queue == null || queue.equals(event.queue()))
        && (clusterQueue == null || clusterQueue.equals(event.clusterQueue()))
        && (namespace == null || namespace.equals(event.namespace()))
        && (kinds.isEmpty() || kinds.contains(event.object().kind()))
        && event.isReadable(readable);
  }
}
