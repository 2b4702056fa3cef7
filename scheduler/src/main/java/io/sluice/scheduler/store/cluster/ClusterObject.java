// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import io.sluice.queuemodel.job.AttemptKey;
import java.util.UUID;

/**
 * An object in a cluster that runs a generation of an attempt.
 *
 * @param cluster name of the cluster
 * @param kind as manifests write it
 * @param resourceVersion of the object when it was last known to be valid
 * @param kept whether it stays in its cluster after its end
 */
public record ClusterObject(
    String cluster,
    UUID uid,
    AttemptKey attempt,
    int generation,
    String kind,
    String namespace,
    String name,
    String resourceVersion,
    boolean kept) {}
