// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Manifest.FleetManifest;
import io.sluice.manifests.document.Manifest.JobManifest;
import io.sluice.manifests.document.Manifest.PipelineManifest;
import io.sluice.manifests.document.Manifest.QuotaManifest;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.KueueVersion;
import io.sluice.manifests.field.NearestWord;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.fleet.FleetReader;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.job.JobReader;
import io.sluice.manifests.pipeline.PipelineReader;
import io.sluice.manifests.quota.ComputeClassReader;
import io.sluice.manifests.quota.QuotaObjectReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests: Kueue's quota objects in {@code v1beta2} or {@code v1beta1}, GKE's compute
 * classes, our jobs, pipelines and fleets, and Kubernetes' CronJobs as pipelines. Every method
 * takes all of an input or throws {@link InvalidManifestException} with what is wrong with it;
 * nothing else is thrown whatever the input holds. The caller bounds its length.
 */
public final class ManifestReader {
  private ManifestReader() {}

  /**
   * Everything in a text: YAML of one or more documents, a JSON object, several after one another,
   * a JSON list of objects, or Kubernetes' {@code kind: List}. A text that begins with <code>{
   * </code> or {@code [} is JSON. Blank documents are passed over, so there may be nothing.
   *
   * @throws InvalidManifestException naming what is wrong in any of the documents
   */
  public static List<Manifest> readAll(String text) {
    return readDocuments(TextDocuments.split(text), null, ReadingTerms.DEFAULT);
  }

  /** As {@link #readAll(String)}, of UTF-8 with or without a byte order mark. */
  public static List<Manifest> readAll(byte[] text) {
    return manifests(readPlaced(text));
  }

  /** As {@link #readAll(byte[])}, with the place of each. */
  public static List<PlacedManifest> readPlaced(byte[] text) {
    return readPlaced(text, ReadingTerms.DEFAULT);
  }

  /** As {@link #readPlaced(byte[])}, on other terms. */
  public static List<PlacedManifest> readPlaced(byte[] text, ReadingTerms terms) {
    return placed(TextDocuments.split(text), null, terms);
  }

  /**
   * As {@link #readPlaced(byte[], ReadingTerms)}, jobs of Kubernetes included, as {@link
   * ForeignReader} reads them. A list holds these, with what stands beside them, or others.
   */
  public static List<PlacedManifest> readPlacedWithForeign(byte[] text, ReadingTerms terms) {
    List<Document> own = new ArrayList<>();
    List<Document> foreign = new ArrayList<>();
    for (Document document : TextDocuments.split(text)) {
      boolean isForeign = document.violations().isEmpty() && ForeignReader.reads(document.root());
      (isForeign ? foreign : own).add(document);
    }
    List<PlacedManifest> manifests = placed(own, null, terms);
    manifests.addAll(ForeignReader.readPlaced(foreign, terms));
    manifests.sort(Comparator.comparingInt(PlacedManifest::document));
    return manifests;
  }

  /** As {@link #readAll(String)}, of JSON that was taken apart before. */
  public static List<Manifest> readAll(JsonNode root) {
    return readDocuments(
        List.of(new Document(root, new Violations(1))), null, ReadingTerms.DEFAULT);
  }

  /**
   * The one quota object in a text.
   *
   * @throws InvalidManifestException if it is not right, of another kind or not the only one
   */
  public static QuotaObject readQuotaObject(ObjectKind expected, String text) {
    return quotaObject(readOne(TextDocuments.split(text), expected.kind(), ReadingTerms.DEFAULT));
  }

  /** As {@link #readQuotaObject(ObjectKind, String)}, of JSON that was taken apart before. */
  public static QuotaObject readQuotaObject(ObjectKind expected, JsonNode root) {
    return readQuotaObject(expected, root, ReadingTerms.DEFAULT);
  }

  /** As {@link #readQuotaObject(ObjectKind, JsonNode)}, on other terms. */
  public static QuotaObject readQuotaObject(
      ObjectKind expected, JsonNode root, ReadingTerms terms) {
    return quotaObject(readOne(root, expected.kind(), terms));
  }

  /**
   * The one job in a text.
   *
   * @throws InvalidManifestException if it is not right, of another kind or not the only one
   */
  public static JobSpec readJob(String text) {
    return readJob(text, ReadingTerms.DEFAULT);
  }

  /** As {@link #readJob(String)}, on other terms. */
  public static JobSpec readJob(String text, ReadingTerms terms) {
    return job(readOne(TextDocuments.split(text), Schema.JOB, terms));
  }

  /** A job as it was stored: as a spec, or as the documents of a job of Kubernetes. */
  public static JobManifest readStoredJob(String text) {
    return ForeignReader.isStored(text)
        ? new JobManifest(ForeignReader.readAll(text).get(0).spec(), text)
        : new JobManifest(readJob(text, ReadingTerms.STORED));
  }

  /** As {@link #readJob(String)}, of JSON that was taken apart before. */
  public static JobSpec readJob(JsonNode root) {
    return readJob(root, ReadingTerms.DEFAULT);
  }

  /** As {@link #readJob(JsonNode)}, on other terms. */
  public static JobSpec readJob(JsonNode root, ReadingTerms terms) {
    return job(readOne(root, Schema.JOB, terms));
  }

  /**
   * The one job in JSON that was taken apart before: ours, or one of Kubernetes as {@link
   * ForeignReader} reads it.
   *
   * @throws InvalidManifestException if it is not right or of another kind
   */
  public static JobManifest readJobManifest(JsonNode root, ReadingTerms terms) {
    if (!ForeignReader.reads(root)) {
      return new JobManifest(readJob(root, terms));
    }
    Document document = new Document(root, new Violations(1));
    return (JobManifest) ForeignReader.readPlaced(List.of(document), terms).get(0).manifest();
  }

  /**
   * The one fleet in a text.
   *
   * @throws InvalidManifestException if it is not right, of another kind or not the only one
   */
  public static Fleet readFleet(String text) {
    return readFleet(text, ReadingTerms.DEFAULT);
  }

  /** As {@link #readFleet(String)}, on other terms. */
  public static Fleet readFleet(String text, ReadingTerms terms) {
    return fleet(readOne(TextDocuments.split(text), Schema.FLEET, terms));
  }

  /** As {@link #readFleet(String)}, of JSON that was taken apart before. */
  public static Fleet readFleet(JsonNode root) {
    return readFleet(root, ReadingTerms.DEFAULT);
  }

  /** As {@link #readFleet(JsonNode)}, on other terms. */
  public static Fleet readFleet(JsonNode root, ReadingTerms terms) {
    return fleet(readOne(root, Schema.FLEET, terms));
  }

  /**
   * The one pipeline in a text.
   *
   * @throws InvalidManifestException if it is not right, of another kind or not the only one
   */
  public static Pipeline readPipeline(String text) {
    return pipeline(readOne(TextDocuments.split(text), Schema.PIPELINE, ReadingTerms.DEFAULT));
  }

  /** As {@link #readPipeline(String)}, of JSON that was taken apart before. */
  public static Pipeline readPipeline(JsonNode root) {
    return pipeline(readOne(root, Schema.PIPELINE, ReadingTerms.DEFAULT));
  }

  private static Manifest readOne(JsonNode root, String expectedKind, ReadingTerms terms) {
    return readOne(List.of(new Document(root, new Violations(1))), expectedKind, terms);
  }

  private static Manifest readOne(
      List<Document> documents, String expectedKind, ReadingTerms terms) {
    List<Manifest> manifests = readDocuments(documents, expectedKind, terms);
    if (manifests.size() != 1) {
      throw new InvalidManifestException(
          List.of(
              new Violation(
                  1, "", "", "must hold one " + expectedKind + ", and holds " + manifests.size())));
    }
    return manifests.get(0);
  }

  private static List<Manifest> readDocuments(
      List<Document> documents, @Nullable String expectedKind, ReadingTerms terms) {
    return manifests(placed(documents, expectedKind, terms));
  }

  private static List<Manifest> manifests(List<PlacedManifest> placed) {
    return placed.stream().map(PlacedManifest::manifest).toList();
  }

  private static List<PlacedManifest> placed(
      List<Document> documents, @Nullable String expectedKind, ReadingTerms terms) {
    List<PlacedManifest> manifests = new ArrayList<>();
    List<Violation> violations = new ArrayList<>();
    for (Document document : documents) {
      if (document.violations().isEmpty()) {
        new ManifestReading(document.violations(), expectedKind, terms, manifests)
            .readDocument(document.root());
      }
      for (Violation violation : document.violations().found()) {
        if (violations.size() < Violations.MAX) {
          violations.add(violation);
        }
      }
    }
    if (!violations.isEmpty()) {
      throw new InvalidManifestException(violations);
    }
    return manifests;
  }

  private static QuotaObject quotaObject(Manifest manifest) {
    if (manifest instanceof QuotaManifest quota) {
      return quota.object();
    }
    throw new IllegalStateException("another kind than was asked for: " + manifest);
  }

  private static JobSpec job(Manifest manifest) {
    if (manifest instanceof JobManifest job) {
      return job.job();
    }
    throw new IllegalStateException("another kind than was asked for: " + manifest);
  }

  private static Pipeline pipeline(Manifest manifest) {
    if (manifest instanceof PipelineManifest pipeline) {
      return pipeline.pipeline();
    }
    throw new IllegalStateException("another kind than was asked for: " + manifest);
  }

  private static Fleet fleet(Manifest manifest) {
    if (manifest instanceof FleetManifest fleet) {
      return fleet.fleet();
    }
    throw new IllegalStateException("another kind than was asked for: " + manifest);
  }

  /**
   * The reading of one document.
   *
   * @param expectedKind null: any that is known
   * @param manifests takes what was read
   */
  private record ManifestReading(
      Violations violations,
      @Nullable String expectedKind,
      ReadingTerms terms,
      List<PlacedManifest> manifests) {
    void readDocument(JsonNode root) {
      if (root instanceof ArrayNode array) {
        readItems(array, Path.ROOT);
        return;
      }
      ObjectCursor top = ObjectCursor.open(root, Path.ROOT, "a manifest", violations);
      if (top == null) {
        return;
      }
      if (Schema.CORE.equals(root.path("apiVersion").textValue())
          && Schema.LIST.equals(root.path("kind").textValue())) {
        readList(top, root);
        return;
      }
      readObject(top);
    }

    private void readList(ObjectCursor top, JsonNode root) {
      top.ignore("apiVersion", "kind", "metadata", "items");
      top.end();
      if (root.get("items") instanceof ArrayNode array) {
        readItems(array, top.path("items"));
      } else if (top.require("items")) {
        top.refuse("items", "must be a list");
      }
    }

    private void readItems(ArrayNode items, Path path) {
      if (items.size() > TextDocuments.COUNT_MAX) {
        violations.add(
            path, items, "has " + items.size() + " entries: at most " + TextDocuments.COUNT_MAX);
        return;
      }
      for (int i = 0; i < items.size() && !violations.isFull(); i++) {
        ObjectCursor top = ObjectCursor.open(items.get(i), path.index(i), "a manifest", violations);
        if (top != null) {
          readObject(top);
        }
      }
    }

    private void readObject(ObjectCursor top) {
      int before = violations.count();
      String apiVersion = top.requiredText("apiVersion", written -> written);
      String kind = top.requiredText("kind", written -> written);
      if (violations.count() > before) {
        return;
      }
      try {
        Manifest manifest = readKind(top, apiVersion, kind);
        if (manifest != null) {
          top.ignore("status");
          top.end();
        }
        if (manifest != null && violations.isEmpty()) {
          manifests.add(new PlacedManifest(manifest, violations.document(), top.path().toString()));
        }
      } catch (InvalidValueException problem) {
        violations.add(top.path(), kind, String.valueOf(problem.getMessage()));
      }
    }

    /** What is said of a kind that is not read here; jobs of Kubernetes are read elsewhere. */
    private static String unsupported(String apiVersion, String kind) {
      String version = ForeignKind.versionOf(kind);
      if (version != null && !version.equals(apiVersion)) {
        return "of " + apiVersion + " is not supported: must be of " + version;
      }
      SortedSet<String> kinds = Schema.kinds();
      kinds.addAll(ForeignKind.words());
      return "is not supported here: one of "
          + String.join(", ", kinds)
          + NearestWord.suggestion(kind, kinds);
    }

    /** The manifest; null if it is said not to be of a kind that can be read here. */
    private @Nullable Manifest readKind(ObjectCursor top, String apiVersion, String kind) {
      Set<String> kinds = Schema.kinds();
      if (!kinds.contains(kind)) {
        top.refuse("kind", unsupported(apiVersion, kind));
        return null;
      }
      if (expectedKind != null && !expectedKind.equals(kind)) {
        top.refuse("kind", "must be " + expectedKind + " here");
        return null;
      }
      ObjectKind quotaKind = Schema.quotaKind(kind);
      if (quotaKind != null) {
        if (quotaKind == ObjectKind.COMPUTE_CLASS) {
          if (!apiVersion.equals(Schema.GKE)) {
            refuseVersion(top, kind, Schema.GKE);
            return null;
          }
          return new QuotaManifest(ComputeClassReader.read(top, terms));
        }
        if (Schema.isOurs(quotaKind)) {
          if (!apiVersion.equals(Schema.OURS)) {
            refuseVersion(top, kind, Schema.OURS);
            return null;
          }
          return new QuotaManifest(QuotaObjectReader.read(quotaKind, KueueVersion.V1BETA2, top));
        }
        KueueVersion version = KueueVersion.of(apiVersion);
        if (version == null) {
          refuseVersion(top, kind, Schema.KUEUE_WRITTEN + " or " + Schema.KUEUE_OLD);
          return null;
        }
        return new QuotaManifest(QuotaObjectReader.read(quotaKind, version, top));
      }
      if (kind.equals(Schema.CRON_JOB)) {
        if (!apiVersion.equals(CronJobReader.VERSION)) {
          refuseVersion(top, kind, CronJobReader.VERSION);
          return null;
        }
        return new PipelineManifest(CronJobReader.read(top));
      }
      if (!apiVersion.equals(Schema.OURS)) {
        refuseVersion(top, kind, Schema.OURS);
        return null;
      }
      return switch (kind) {
        case Schema.JOB -> new JobManifest(JobReader.read(top, terms));
        case Schema.PIPELINE -> new PipelineManifest(PipelineReader.read(top));
        default -> FleetReader.read(top, terms);
      };
    }

    private static void refuseVersion(ObjectCursor top, String kind, String versions) {
      top.refuse("apiVersion", "must be " + versions + " for a " + kind);
    }
  }
}
