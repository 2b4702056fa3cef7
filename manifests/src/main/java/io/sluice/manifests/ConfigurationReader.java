// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.fleet.AcceleratorCatalogueReader;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quantity.ResourceTransformation;
import io.sluice.queuemodel.quantity.ResourceTransformations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration file: Kueue's Configuration and AcceleratorCatalogues. Fields of the
 * Configuration that affect decisions are honoured; fields about the operation of Kueue itself are
 * ignored.
 */
public final class ConfigurationReader {
  private static final String KIND = "Configuration";
  private static final String WRITTEN = "config.kueue.x-k8s.io/v1beta2";
  private static final String OLD = "config.kueue.x-k8s.io/v1beta1";
  private static final String EVICTION = "Eviction";
  private static final String CREATION = "Creation";
  private static final String RETAIN = "Retain";
  private static final String REPLACE = "Replace";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final Duration KUEUES_TIMEOUT = Duration.ofMinutes(30);
  private static final Duration KUEUES_OLD_TIMEOUT = Duration.ofMinutes(5);
  private static final int SECONDS_MAX = 365 * 24 * 60 * 60;
  private static final int LIMIT_MAX = 1_000_000;
  private static final int TRANSFORMATIONS_MAX = 100;
  private static final int PREFIXES_MAX = 100;
  private static final int PREFIX_LENGTH_MAX = 253;

  private ConfigurationReader() {}

  /**
   * The configuration of a text that holds at most one Configuration, any number of
   * AcceleratorCatalogues, and something.
   *
   * @throws InvalidManifestException if it is not right
   */
  public static Configuration read(String text) {
    List<Violation> found = new ArrayList<>();
    Configuration configuration = Configuration.DEFAULT;
    int configurations = 0;
    List<Document> documents = TextDocuments.split(text);
    for (Document document : documents) {
      Violations violations = document.violations();
      ObjectCursor top =
          violations.isEmpty()
              ? ObjectCursor.open(document.root(), Path.ROOT, "a " + KIND, violations)
              : null;
      if (top != null && AcceleratorCatalogueReader.KIND.equals(top.scalar("kind"))) {
        configuration =
            configuration.with(AcceleratorCatalogueReader.read(top, configuration.catalogue()));
      } else if (top != null) {
        configurations++;
        configuration = read(top).with(configuration.catalogue());
      }
      found.addAll(violations.found());
    }
    if (found.isEmpty() && (documents.isEmpty() || configurations > 1)) {
      found.add(
          new Violation(1, "", "", "must hold one " + KIND + ", and holds " + configurations));
    }
    if (!found.isEmpty()) {
      throw new InvalidManifestException(found);
    }
    return configuration;
  }

  private static Configuration read(ObjectCursor top) {
    String apiVersion = top.requiredText("apiVersion", written -> written);
    boolean old = apiVersion.equals(OLD);
    if (!old && !apiVersion.equals(WRITTEN)) {
      top.refuse("apiVersion", "must be " + WRITTEN + " or " + OLD);
    }
    if (!KIND.equals(top.requiredText("kind", written -> written))) {
      top.refuse("kind", "must be " + KIND + " or " + AcceleratorCatalogueReader.KIND + " here");
    }
    top.ignore("metadata", "namespace", "health", "metrics", "webhook", "leaderElection");
    top.ignore("controller", "internalCertManagement", "clientConnection", "tls");
    top.ignore("pprofBindAddress", "syncPeriod", "cacheNamespace", "gracefulShutDown");
    top.ignore("manageJobsWithoutQueueName", "managedJobsNamespaceSelector", "integrations");
    top.ignore("queueVisibility", "visibilityServer");
    top.refuseAs("fairSharing", "is an option of the server here: --fair-sharing");
    top.refuseUnsupported(
        "admissionFairSharing", "multiKueue", "featureGates", "objectRetentionPolicies");
    ObjectCursor starts = top.object("waitForPodsReady", "a WaitForPodsReady");
    ObjectCursor resources = top.object("resources", "the resources of a " + KIND);
    Configuration configuration =
        new Configuration(
            starts == null ? StartPolicy.DEFAULT : starts(starts, old),
            resources == null ? ResourceTransformations.NONE : resources(resources),
            AcceleratorCatalogue.BUILT_IN,
            true);
    top.end();
    return configuration;
  }

  private static StartPolicy starts(ObjectCursor cursor, boolean old) {
    Boolean enabled = old ? cursor.flag("enable") : Boolean.TRUE;
    Duration timeout = cursor.duration("timeout", SHORTEST, LONGEST);
    // Pods of an attempt start and end together, so there is no recovery to wait for.
    cursor.duration("recoveryTimeout", Duration.ZERO, LONGEST);
    boolean blocks = Boolean.TRUE.equals(cursor.flag("blockAdmission"));
    ObjectCursor strategy = cursor.objectOrEmpty("requeuingStrategy", "a RequeuingStrategy");
    String timestamp =
        strategy.word("timestamp", List.of(EVICTION, CREATION), word -> word, EVICTION);
    Duration base = seconds(strategy, "backoffBaseSeconds", StartPolicy.DEFAULT.requeueBase());
    Duration most = seconds(strategy, "backoffMaxSeconds", StartPolicy.DEFAULT.requeueMax());
    Integer limit = strategy.whole("backoffLimitCount", 0, LIMIT_MAX);
    strategy.end();
    cursor.end();
    Duration usual = old ? KUEUES_OLD_TIMEOUT : KUEUES_TIMEOUT;
    return Boolean.TRUE.equals(enabled)
        ? new StartPolicy(
            Objects.requireNonNullElse(timeout, usual),
            blocks,
            base,
            most,
            timestamp.equals(EVICTION),
            limit)
        : StartPolicy.DEFAULT;
  }

  private static Duration seconds(ObjectCursor cursor, String field, Duration fallback) {
    return Duration.ofSeconds(cursor.whole(field, 1, SECONDS_MAX, (int) fallback.toSeconds()));
  }

  private static ResourceTransformations resources(ObjectCursor cursor) {
    cursor.refuseUnsupported("deviceClassMappings", "quotaCheckStrategy");
    List<String> prefixes =
        cursor.texts("excludeResourcePrefixes", PREFIXES_MAX, ConfigurationReader::requirePrefix);
    Set<ResourceName> inputs = new HashSet<>();
    List<ResourceTransformation> transformations =
        cursor.objects(
            "transformations",
            TRANSFORMATIONS_MAX,
            "a resource transformation",
            entry -> transformation(entry, inputs));
    cursor.end();
    return new ResourceTransformations(prefixes, transformations);
  }

  private static String requirePrefix(String written) {
    if (written.isEmpty() || written.length() > PREFIX_LENGTH_MAX) {
      throw new InvalidValueException("must have 1 to " + PREFIX_LENGTH_MAX + " characters");
    }
    return written;
  }

  private static @Nullable ResourceTransformation transformation(
      ObjectCursor cursor, Set<ResourceName> inputs) {
    int before = cursor.violations().count();
    String input = cursor.requiredText("input", Names::requireQualified);
    String strategy = cursor.word("strategy", List.of(RETAIN, REPLACE), word -> word, RETAIN);
    String multiplyBy = cursor.text("multiplyBy", Names::requireQualified);
    TreeMap<ResourceName, BigDecimal> outputs = new TreeMap<>();
    cursor.entries(
        "outputs",
        Schema.RESOURCES_MAX,
        Names::requireQualified,
        (key, value, path, scalars) -> {
          BigDecimal amount = scalars.exactQuantity(value, path);
          if (amount != null && amount.signum() < 0) {
            cursor.violations().add(path, value, "must not be negative");
          } else if (amount != null) {
            outputs.put(new ResourceName(key), amount);
          }
        });
    cursor.end();
    if (cursor.violations().count() > before) {
      return null;
    }
    if (!inputs.add(new ResourceName(input))) {
      cursor.refuse("input", "is there twice");
    }
    return new ResourceTransformation(
        new ResourceName(input),
        strategy.equals(RETAIN),
        multiplyBy == null ? null : new ResourceName(multiplyBy),
        outputs);
  }
}
