// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import io.sluice.manifests.field.ReadingTerms;
import io.sluice.scheduler.execution.JobReasons;
import io.sluice.scheduler.submission.AdoptionTransaction;
import java.util.Set;
import java.util.function.Supplier;

/**
 * By what objects are adopted that users create in clusters.
 *
 * @param transactions makes one for each cluster
 * @param terms on which they are read
 * @param reasons told of them while they wait
 * @param defaultNamespaces where what names no queue is of the LocalQueue {@code default}
 * @param kueueNamespace in which Kueue is installed, where it is
 */
public record Adoptions(
    Supplier<AdoptionTransaction> transactions,
    ReadingTerms terms,
    JobReasons reasons,
    Supplier<Set<String>> defaultNamespaces,
    String kueueNamespace) {}
