// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

/**
 * The name of a job and its queues. None of them changes during the job's life.
 *
 * @param queue name of its LocalQueue
 */
public record JobPlace(String namespace, String name, String queue, String clusterQueue) {}
