// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.admission.state.fact.QuotaObjects;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Team;
import java.util.HashMap;
import java.util.Map;

/**
 * The team of each LocalQueue in the engine's state: that of its namespace, else its label, else
 * its namespace. {@link io.sluice.scheduler.store.job.JobTeam} is the same for rows of the
 * database.
 */
final class TeamNames {
  private final QuotaObjects objects;
  private final Map<String, String> byNamespace = new HashMap<>();
  private final Map<QueueKey, String> byQueue = new HashMap<>();

  TeamNames(QuotaObjects objects) {
    this.objects = objects;
    for (QuotaObject object : objects.memberships()) {
      if (object instanceof Team team) {
        team.namespaces().forEach(namespace -> byNamespace.put(namespace, team.meta().name()));
      }
    }
  }

  /** The team of a LocalQueue. */
  String of(QueueKey queue) {
    return byQueue.computeIfAbsent(queue, this::find);
  }

  private String find(QueueKey key) {
    String team = byNamespace.get(key.namespace());
    if (team != null) {
      return team;
    }
    LocalQueue queue = objects.localQueue(key);
    String label = queue == null ? null : queue.meta().labels().get(LocalQueue.TEAM_LABEL);
    return label == null ? key.namespace() : label;
  }
}
