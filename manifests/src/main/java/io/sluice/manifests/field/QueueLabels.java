// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The labels of Kubernetes objects that name their queue. */
public final class QueueLabels {
  /** The kind whose Jobs wait one by one, since each run is admitted by itself. */
  public static final String CRON_JOB = "CronJob";

  /** Kinds of group {@code apps} whose pods wait if the object names a queue. */
  public static final List<String> POD_OWNERS = List.of("Deployment", "StatefulSet");

  public static final String OURS = "sluice.io/queue-name";

  /** Counts where Kueue's controller is not at work. */
  public static final String KUEUES = "kueue.x-k8s.io/queue-name";

  private QueueLabels() {}

  /** Whether an object has any of them. */
  public static boolean nameQueue(JsonNode object) {
    JsonNode labels = object.path("metadata").path("labels");
    return labels.has(OURS) || labels.has(KUEUES);
  }
}
