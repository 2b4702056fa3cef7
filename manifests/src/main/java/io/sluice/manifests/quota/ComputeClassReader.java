// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.MetadataReader;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ComputeClass.WhenUnsatisfiable;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Rung;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads GKE's {@code ComputeClass}, with our terms for its rungs in an annotation. Fields that tell
 * GKE how to make nodes are kept and mean nothing here; those that say which capacity a job gets
 * become the rungs.
 */
public final class ComputeClassReader {
  private static final int RUNGS_MAX = 64;
  private static final List<WhenUnsatisfiable> WHEN_UNSATISFIABLE =
      List.of(WhenUnsatisfiable.values());

  private ComputeClassReader() {}

  public static ComputeClass read(ObjectCursor top, ReadingTerms terms) {
    ObjectMeta meta = MetadataReader.global(top, ObjectKind.COMPUTE_CLASS.kind(), null);
    if (meta.name().startsWith("gke") || meta.name().startsWith("autopilot")) {
      top.violations()
          .add(
              top.path("metadata").field("name"),
              meta.name(),
              "must not begin with gke or autopilot");
    }
    ObjectCursor spec = top.objectOrEmpty("spec", "a ComputeClass's spec");
    KeptFields kept = new KeptFields(spec.violations());
    kept.keep(
        spec,
        "activeMigration",
        "allocationStrategyDefaults",
        "autopilot",
        "autoscalingPolicy",
        "buffers",
        "description",
        "nodePoolAutoCreation",
        "nodePoolConfig",
        "priorityDefaults");
    boolean movesUp = movesUp(spec);
    List<String> zones = defaultZones(spec);
    spec.requireEntries("priorities");
    List<Rung> rungs =
        spec.objects(
            "priorities",
            RUNGS_MAX,
            "a priority",
            priority -> RungReader.read(priority, zones, terms));
    WhenUnsatisfiable otherwise =
        spec.word(
            "whenUnsatisfiable",
            WHEN_UNSATISFIABLE,
            WhenUnsatisfiable::word,
            WhenUnsatisfiable.DO_NOT_SCALE_UP);
    spec.end();
    return new ComputeClass(
        meta,
        withTerms(top, meta, rungs),
        otherwise,
        PursuitReader.read(top, meta, movesUp),
        ClassDefaultsFields.read(top, meta, terms),
        kept.kept());
  }

  /** Whether running attempts move to better rungs. */
  private static boolean movesUp(ObjectCursor spec) {
    ObjectCursor migration = spec.object("activeMigration", "a ComputeClass's activeMigration");
    if (migration == null) {
      return false;
    }
    boolean optimizes = Boolean.TRUE.equals(migration.flag("optimizeRulePriority"));
    migration.ignore("ensureAllDaemonSetPodsRunning");
    migration.end();
    return optimizes;
  }

  private static List<String> defaultZones(ObjectCursor spec) {
    ObjectCursor defaults = spec.object("priorityDefaults", "a ComputeClass's priorityDefaults");
    if (defaults == null) {
      return List.of();
    }
    List<String> zones = zones(defaults);
    defaults.ignore("nodeSystemConfig");
    defaults.end();
    return zones;
  }

  static List<String> zones(ObjectCursor owner) {
    ObjectCursor location = owner.object("location", "a location");
    if (location == null) {
      return List.of();
    }
    List<String> zones = location.texts("zones", RUNGS_MAX, Names::requireLabelValue);
    location.end();
    return zones;
  }

  /** The rungs with the terms of the annotation, one entry a rung as far as there are entries. */
  private static List<Rung> withTerms(ObjectCursor top, ObjectMeta meta, List<Rung> rungs) {
    String text = meta.annotations().get(ComputeClass.RUNGS_ANNOTATION);
    if (text == null || !top.violations().isEmpty()) {
      return rungs;
    }
    Path path = top.path("metadata").field("annotations").key(ComputeClass.RUNGS_ANNOTATION);
    List<Rung.Terms> terms = RungTermsReader.read(text, path, rungs, top.violations());
    List<Rung> all = new ArrayList<>(rungs);
    for (int i = 0; i < terms.size(); i++) {
      all.set(i, rungs.get(i).on(terms.get(i)));
    }
    return all;
  }
}
