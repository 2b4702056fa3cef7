// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import org.jspecify.annotations.Nullable;

/**
 * The place of a pod set in a foreign job's documents: its template and its count.
 *
 * @param podSet its name; several places may be of one, as of pods that stand one by one
 * @param document number of the document, from 0; of a PathwaysJob that of the JobSet that it
 *     expands to
 * @param template JSON pointer to what holds the pods' metadata and spec; null: the document has no
 *     template of these pods
 * @param replicas JSON pointer to the field that says how many; null: it cannot be said there
 * @param podsPerReplica how many pods one of that field makes
 */
public record PodSetPlace(
    String podSet,
    int document,
    @Nullable String template,
    @Nullable String replicas,
    int podsPerReplica) {}
