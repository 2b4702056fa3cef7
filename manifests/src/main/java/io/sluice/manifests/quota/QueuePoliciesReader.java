// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.field.KueueVersion;
import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.policy.AdmissionMode;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.FlavorFungibility.Preference;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the policies of a ClusterQueue. */
final class QueuePoliciesReader {
  static final String TRY_NEXT_FLAVOR = "TryNextFlavor";

  private static final List<QueueingStrategy> STRATEGIES = List.of(QueueingStrategy.values());
  private static final List<Preference> PREFERENCES = List.of(Preference.values());
  private static final List<PreemptionPolicy> WITHIN_QUEUE =
      List.of(
          PreemptionPolicy.NEVER,
          PreemptionPolicy.LOWER_PRIORITY,
          PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY);
  private static final List<PreemptionPolicy> RECLAIM =
      List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY, PreemptionPolicy.ANY);
  private static final List<PreemptionPolicy> BORROW =
      List.of(PreemptionPolicy.NEVER, PreemptionPolicy.LOWER_PRIORITY);

  /** A whole number from 1 to {@link Queueing#DEPTH_MAX}. */
  private static final Pattern DEPTH = Pattern.compile("[1-9][0-9]{0,2}|1000");

  private static final List<AdmissionMode> MODES = List.of(AdmissionMode.values());

  private QueuePoliciesReader() {}

  /** Reads the policies of a ClusterQueue from its spec and its annotations. */
  static QueuePolicies read(
      ObjectCursor spec, KueueVersion version, ObjectMeta meta, ObjectCursor top) {
    Path metadata = top.path("metadata");
    return ofSpec(spec, version, minRunTime(meta, metadata, top.violations()))
        .withQueueing(queueing(meta, metadata, top.violations()));
  }

  private static QueuePolicies ofSpec(
      ObjectCursor spec, KueueVersion version, Duration minRunTime) {
    return new QueuePolicies(
        spec.word(
            "queueingStrategy",
            STRATEGIES,
            QueueingStrategy::word,
            QueueingStrategy.BEST_EFFORT_FIFO),
        preemption(spec).withMinRunTime(minRunTime),
        flavorFungibility(spec, version),
        QuotaObjectReader.stopPolicy(spec),
        LabelFields.selector(spec, "namespaceSelector"),
        FairWeight.ONE,
        admissionMode(spec));
  }

  /** Reads the annotations about planned starts. Without them the queue is served as in Kueue. */
  private static Queueing queueing(ObjectMeta meta, Path metadata, Violations violations) {
    Path annotations = metadata.field("annotations");
    Queueing.@Nullable Mode mode = Queueing.Mode.KUEUE;
    String word = meta.annotations().get(Queueing.ANNOTATION);
    if (word != null) {
      mode = mode(word);
      if (mode == null) {
        violations.add(
            annotations.key(Queueing.ANNOTATION), word, "must be \"planned\" or \"kueue\"");
      }
    }
    String depth = meta.annotations().get(Queueing.DEPTH_ANNOTATION);
    if (depth != null && !DEPTH.matcher(depth).matches()) {
      violations.add(
          annotations.key(Queueing.DEPTH_ANNOTATION),
          depth,
          "must be a whole number from 1 to " + Queueing.DEPTH_MAX);
      depth = null;
    }
    return new Queueing(
        mode == null ? Queueing.Mode.KUEUE : mode,
        depth == null ? 1 : Integer.parseInt(depth),
        RankingAnnotations.read(meta.annotations(), annotations, violations));
  }

  /** Reads the minimum run time of attempts; zero without one. */
  private static Duration minRunTime(ObjectMeta meta, Path metadata, Violations violations) {
    String key = QueuePreemption.MIN_RUN_TIME_ANNOTATION;
    String text = meta.annotations().get(key);
    if (text == null) {
      return Duration.ZERO;
    }
    try {
      Duration read = DurationNotation.parse(text);
      if (!read.isNegative() && read.compareTo(QueuePreemption.MIN_RUN_TIME_MAX) <= 0) {
        return read;
      }
      violations.add(metadata.field("annotations").key(key), text, "must be from 0s to 168h");
    } catch (InvalidValueException noDuration) {
      violations.add(
          metadata.field("annotations").key(key), text, String.valueOf(noDuration.getMessage()));
    }
    return Duration.ZERO;
  }

  private static Queueing.@Nullable Mode mode(String word) {
    for (Queueing.Mode mode : Queueing.Mode.values()) {
      if (mode.word().equals(word)) {
        return mode;
      }
    }
    return null;
  }

  private static AdmissionMode admissionMode(ObjectCursor spec) {
    ObjectCursor scope = spec.object("admissionScope", "admissionScope");
    if (scope == null) {
      return AdmissionMode.NO_FAIR_SHARING;
    }
    scope.require("admissionMode");
    AdmissionMode mode =
        scope.word("admissionMode", MODES, AdmissionMode::word, AdmissionMode.NO_FAIR_SHARING);
    scope.end();
    return mode;
  }

  private static QueuePreemption preemption(ObjectCursor spec) {
    int before = spec.violations().count();
    ObjectCursor cursor = spec.objectOrEmpty("preemption", "preemption");
    PreemptionPolicy within = policy(cursor, "withinClusterQueue", WITHIN_QUEUE);
    PreemptionPolicy reclaim = policy(cursor, "reclaimWithinCohort", RECLAIM);
    ObjectCursor borrowing = cursor.objectOrEmpty("borrowWithinCohort", "borrowWithinCohort");
    PreemptionPolicy borrow = policy(borrowing, "policy", BORROW);
    Integer threshold =
        borrowing.whole("maxPriorityThreshold", Integer.MIN_VALUE, Integer.MAX_VALUE);
    borrowing.end();
    if (reclaim == PreemptionPolicy.NEVER
        && borrow != PreemptionPolicy.NEVER
        && cursor.violations().count() == before) {
      borrowing.refuse("policy", "must be Never while reclaimWithinCohort is Never");
    }
    cursor.end();
    return new QueuePreemption(within, reclaim, borrow, threshold);
  }

  private static PreemptionPolicy policy(
      ObjectCursor cursor, String field, List<PreemptionPolicy> words) {
    return cursor.word(field, words, PreemptionPolicy::word, PreemptionPolicy.NEVER);
  }

  private static FlavorFungibility flavorFungibility(ObjectCursor spec, KueueVersion version) {
    int before = spec.violations().count();
    FlavorFungibility defaults = FlavorFungibility.DEFAULT;
    ObjectCursor cursor = spec.objectOrEmpty("flavorFungibility", "flavorFungibility");
    boolean nextBeforeBorrowing =
        triesNext(
            cursor, "whenCanBorrow", version.wordsToBorrow(), defaults.tryNextBeforeBorrowing());
    boolean nextBeforePreempting =
        triesNext(
            cursor, "whenCanPreempt", version.wordsToPreempt(), defaults.tryNextBeforePreempting());
    Preference preference = cursor.word("preference", PREFERENCES, Preference::word);
    if (preference != null
        && !(nextBeforeBorrowing && nextBeforePreempting)
        && cursor.violations().count() == before) {
      cursor.refuse(
          "preference",
          "must not be there unless whenCanBorrow and whenCanPreempt are both TryNextFlavor");
    }
    cursor.end();
    return new FlavorFungibility(
        nextBeforeBorrowing,
        nextBeforePreempting,
        preference == null ? defaults.preference() : preference);
  }

  private static boolean triesNext(
      ObjectCursor cursor, String field, List<String> wordsToStay, boolean fallback) {
    List<String> words = Stream.concat(wordsToStay.stream(), Stream.of(TRY_NEXT_FLAVOR)).toList();
    String word = cursor.word(field, words, written -> written);
    return word == null ? fallback : word.equals(TRY_NEXT_FLAVOR);
  }
}
