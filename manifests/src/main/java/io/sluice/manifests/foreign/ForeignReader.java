// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.DocumentWriter;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.job.AttemptDeadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads foreign jobs: Job, JobSet, RayJob, RayCluster, PathwaysJob, TrainJob, pods and groups of
 * pods, with the objects beside them. What admission does not ask about is kept and not looked at,
 * known or not; what it does ask about and cannot be understood is refused. Every method takes all
 * of an input or throws {@link InvalidManifestException}. The caller bounds its length.
 */
public final class ForeignReader {
  private static final Set<String> BELONGINGS =
      new TreeSet<>(
          Set.of(
              "v1/ConfigMap",
              "v1/PersistentVolumeClaim",
              "v1/Service",
              "v1/ServiceAccount",
              "resource.k8s.io/ResourceClaim",
              "resource.k8s.io/ResourceClaimTemplate",
              "trainer.kubeflow.org/" + TrainJobPods.CLUSTER_RUNTIME,
              "trainer.kubeflow.org/" + TrainJobPods.RUNTIME));

  private final List<ForeignDocument> jobs = new ArrayList<>();
  private final List<ForeignDocument> belongings = new ArrayList<>();

  private ForeignReader() {}

  /**
   * The jobs in a text: YAML of one or more documents, or JSON. The other objects in it belong to
   * each job of their namespace.
   *
   * @throws InvalidManifestException naming what is wrong in any of the documents
   */
  public static List<ForeignJob> readAll(String text) {
    return read(TextDocuments.split(text), AttemptDeadlines.DEFAULT.start());
  }

  /**
   * As {@link #readAll(String)}, of UTF-8.
   *
   * @param startDeadline by when an attempt of each must have started
   */
  public static List<ForeignJob> readAll(byte[] text, Duration startDeadline) {
    return read(TextDocuments.split(text), startDeadline);
  }

  private static List<ForeignJob> read(List<Document> documents, Duration startDeadline) {
    ForeignReader reader = new ForeignReader();
    for (Document document : documents) {
      if (document.violations().isEmpty()) {
        reader.collect(document.root(), Path.ROOT, document.violations());
      }
    }
    List<ForeignJob> read = List.of();
    if (documents.stream().allMatch(document -> document.violations().isEmpty())) {
      read = new ForeignJobs(reader.jobs, reader.belongings, startDeadline).read();
    }
    List<Violation> violations =
        documents.stream()
            .flatMap(document -> document.violations().found().stream())
            .limit(Violations.MAX)
            .toList();
    if (!violations.isEmpty()) {
      throw new InvalidManifestException(violations);
    }
    return read;
  }

  /** Whether a document is a job of Kubernetes, stands beside one, or is a list with any. */
  public static boolean reads(JsonNode root) {
    if (root.isArray()) {
      return anyRead(root);
    }
    String apiVersion = root.path("apiVersion").asText();
    String kind = root.path("kind").asText();
    if (apiVersion.equals(Schema.CORE) && kind.equals(Schema.LIST)) {
      return anyRead(root.path("items"));
    }
    return ForeignKind.of(apiVersion, kind) != null
        || BELONGINGS.contains(groupOf(apiVersion) + "/" + kind);
  }

  private static boolean anyRead(JsonNode items) {
    boolean any = false;
    for (JsonNode item : items) {
      any |= !item.isArray() && reads(item);
    }
    return any;
  }

  /** The jobs in documents, each with its documents as one text. */
  public static List<PlacedManifest> readPlaced(List<Document> documents, ReadingTerms terms) {
    List<PlacedManifest> placed = new ArrayList<>();
    List<Violation> refused = new ArrayList<>();
    for (ForeignJob job : read(documents, terms.startDeadline())) {
      int number = number(job, documents);
      if (job.kind() == ForeignKind.PATHWAYS_JOB && !terms.expandsPathwaysJobs()) {
        refused.add(
            new Violation(
                number,
                "kind",
                job.kind().word(),
                "is left to its own controller by this server: create it with kubectl, and it is"
                    + " held and admitted by the JobSet that it becomes"));
      }
      placed.add(new PlacedManifest(new Manifest.JobManifest(job.spec(), text(job)), number, ""));
    }
    if (!refused.isEmpty()) {
      throw new InvalidManifestException(refused);
    }
    if (placed.isEmpty() && !documents.isEmpty()) {
      throw new InvalidManifestException(
          List.of(
              new Violation(
                  documents.get(0).violations().document(),
                  "kind",
                  documents.get(0).root().path("kind").asText(),
                  "must accompany a job, and the input has none")));
    }
    return placed;
  }

  /** The document that a job begins in, or that has the list that it is in. */
  private static int number(ForeignJob job, List<Document> documents) {
    JsonNode name = job.originals().get(0).path("metadata").path("name");
    for (Document document : documents) {
      JsonNode root = document.root();
      boolean same =
          root.path("kind").asText().equals(job.kind().word())
              && root.path("metadata").path("name").equals(name);
      if (same || root.isArray() || root.path("kind").asText().equals(Schema.LIST)) {
        return document.violations().document();
      }
    }
    return documents.get(0).violations().document();
  }

  /** Whether a text is one that {@link #text} made. */
  public static boolean isStored(String text) {
    return text.startsWith("{\"apiVersion\":\"v1\",\"kind\":\"List\",");
  }

  private static String text(ForeignJob job) {
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("apiVersion", Schema.CORE).put("kind", Schema.LIST);
    ArrayNode items = list.putArray("items");
    items.addAll(job.belongings());
    items.addAll(job.originals());
    return DocumentWriter.json(list);
  }

  private void collect(JsonNode node, Path path, Violations violations) {
    if (node instanceof ArrayNode array) {
      collectAll(array, path, violations);
      return;
    }
    if (!(node instanceof ObjectNode object)) {
      violations.add(path, node, "must be an object: a manifest");
      return;
    }
    ForeignDocument document = ForeignDocument.of(object, path, violations);
    if (!violations.isEmpty()) {
      return;
    }
    String apiVersion = document.apiVersion();
    String kind = document.kind();
    if (apiVersion.equals(Schema.CORE) && kind.equals(Schema.LIST)) {
      if (document.root().path("items") instanceof ArrayNode items) {
        collectAll(items, path.field("items"), violations);
      } else {
        violations.add(path.field("items"), "", "must be a list");
      }
    } else if (ForeignKind.of(apiVersion, kind) != null) {
      jobs.add(document);
    } else if (BELONGINGS.contains(groupOf(apiVersion) + "/" + kind)) {
      belongings.add(document);
    } else {
      violations.add(path.field("kind"), kind, refusal(apiVersion, kind));
    }
  }

  private void collectAll(ArrayNode items, Path path, Violations violations) {
    if (items.size() > TextDocuments.COUNT_MAX) {
      violations.add(
          path, items, "has " + items.size() + " entries: at most " + TextDocuments.COUNT_MAX);
      return;
    }
    for (int i = 0; i < items.size() && !violations.isFull(); i++) {
      collect(items.get(i), path.index(i), violations);
    }
  }

  /** The group of an API, whatever its version; the core's has none. */
  private static String groupOf(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? apiVersion : apiVersion.substring(0, slash);
  }

  private static String refusal(String apiVersion, String kind) {
    String version = ForeignKind.versionOf(kind);
    if (version != null) {
      return "of " + apiVersion + " is not supported: must be of " + version;
    }
    if (kind.equals("Secret")) {
      return "is not kept here: create it in the cluster yourself";
    }
    return "is neither a supported job nor an object that may accompany one: supported jobs are "
        + String.join(", ", ForeignKind.words());
  }
}
