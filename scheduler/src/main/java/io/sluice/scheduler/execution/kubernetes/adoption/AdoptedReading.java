// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Grant;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.submission.Submission;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a user's object of a cluster as a job submission. */
public final class AdoptedReading {
  /** Fields that API servers and controllers write. */
  private static final Set<String> OF_SERVERS =
      Set.of(
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "managedFields",
          "finalizers",
          "ownerReferences");

  /** Annotation with which {@code kubectl apply} keeps the whole object once more. */
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private final ReadingTerms terms;
  private final String cluster;
  private final boolean isDefault;
  private final List<String> others;

  /**
   * Creates a reader for the objects of one cluster.
   *
   * @param isDefault whether flavors without a cluster belong to it
   * @param others the names of all other clusters
   */
  public AdoptedReading(
      ReadingTerms terms, String cluster, boolean isDefault, List<String> others) {
    this.terms = terms;
    this.cluster = cluster;
    this.isDefault = isDefault;
    this.others = List.copyOf(others);
  }

  /** Returns the caller that cancels jobs whose objects changed; nobody knows who changed them. */
  static Caller caller(String namespace) {
    return caller("kubernetes:" + namespace, namespace);
  }

  /** The pods are not created by this server, so the cluster has checked their user. */
  private static Caller caller(String name, String namespace) {
    return new Caller(
        name,
        Collections.emptySortedSet(),
        List.of(
            new Grant(Role.SUBMITTER, NamespaceScope.of(namespace), null, PodRules.UNRESTRICTED)));
  }

  /**
   * Reads an object, or a list of the pods of a group.
   *
   * @param submitter name of who created it; null: the cluster does not say so, and the job has the
   *     name of its namespace
   * @throws io.sluice.manifests.document.InvalidManifestException if it cannot be a job
   */
  Submission read(JsonNode object, @Nullable String submitter) {
    ObjectNode document = object.deepCopy();
    clean(document);
    document.path("items").forEach(item -> clean((ObjectNode) item));
    Manifest.JobManifest written = ManifestReader.readJobManifest(document, terms);
    JobSpec job = written.job();
    String namespace = job.meta().namespace();
    Caller caller = submitter == null ? caller(namespace) : caller(submitter, namespace);
    return new Submission(bound(job), caller, null, written.documents());
  }

  /** Removes the fields that its user did not write. */
  private static void clean(ObjectNode document) {
    document.remove("status");
    if (document.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(OF_SERVERS);
      if (metadata.path("labels") instanceof ObjectNode labels) {
        labels.remove(AttemptLabels.KEYS);
      }
      if (metadata.path("annotations") instanceof ObjectNode annotations) {
        annotations.remove(List.of(AdoptedEdits.ADOPTED, AdoptedEdits.SUBMITTER, LAST_APPLIED));
      }
    }
  }

  /** Restricts the job to flavors of its object's cluster. */
  private JobSpec bound(JobSpec job) {
    if (others.isEmpty()) {
      return job;
    }
    Requirement here =
        isDefault
            ? new Requirement(NodeClusters.CLUSTER, Operator.NOT_IN, others)
            : new Requirement(NodeClusters.CLUSTER, Operator.IN, List.of(cluster));
    return job.requiring(here);
  }
}
