// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import io.sluice.manifests.field.ReadingTerms;
import io.sluice.scheduler.execution.JobReasons;
import io.sluice.scheduler.submission.AdoptionTransaction;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The settings and collaborators with which objects of users are adopted.
 *
 * @param transactions creates the transaction of a cluster
 * @param terms terms for reading the objects
 * @param reasons why jobs wait, for the status of their objects
 * @param defaultNamespaces namespaces in which objects that name no queue belong to the LocalQueue
 *     {@code default}
 * @param kueueNamespace the namespace of Kueue, if it is installed
 */
public record Adoptions(
    Supplier<AdoptionTransaction> transactions,
    ReadingTerms terms,
    JobReasons reasons,
    Supplier<Set<String>> defaultNamespaces,
    String kueueNamespace) {}
