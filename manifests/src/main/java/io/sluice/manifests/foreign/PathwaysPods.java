// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.MachineType;
import io.sluice.manifests.field.LabelFields;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the pods of PathwaysJobs, which are those of the JobSet that each expands to. */
final class PathwaysPods {
  private static final int COMPONENTS_MAX = 4;
  private static final int SLICES_MAX = 10_000;
  private static final int SECONDS_MAX = 365 * 24 * 3600;
  private static final List<String> MODES = List.of("default", "colocate_head_with_workers");

  private final ObjectCursor top;

  private PathwaysPods(ObjectCursor top) {
    this.top = top;
  }

  /**
   * Reads a PathwaysJob that can be expanded.
   *
   * @param original the same as the cursor is over
   */
  static void read(ObjectCursor top, ObjectNode original, ForeignPodSets into) {
    int before = top.violations().count();
    new PathwaysPods(top).check(into);
    if (top.violations().count() > before) {
      return;
    }
    ObjectCursor jobSet =
        ObjectCursor.open(
            PathwaysExpansion.expand(original), top.path(), "a JobSet", top.violations());
    if (jobSet != null) {
      JobSetPods.read(jobSet, into);
    }
  }

  /** Says what is wrong in the PathwaysJob's own words, and with how few slices it may run. */
  private void check(ForeignPodSets into) {
    ObjectCursor spec = top.objectOrEmpty("spec", "a PathwaysJob's spec");
    spec.whole("maxRestarts", 0, Integer.MAX_VALUE);
    spec.text("pathwaysDir");
    spec.text("pathwaysVersion");
    spec.requireEntries("workers");
    List<Integer> slices = new ArrayList<>();
    spec.objects(
        "workers",
        1,
        "a PathwaysJob's workers",
        workers -> {
          slices.add(slices(workers));
          return null;
        });
    spec.objects("customComponents", COMPONENTS_MAX, "a component", PathwaysPods::component);
    ObjectCursor controller = spec.objectOrEmpty("controller", "a controller");
    controller.word("deploymentMode", MODES, mode -> mode);
    controller.text("mainContainerName");
    controller.flag("enableMetricsCollection");
    int count = slices.isEmpty() ? 1 : slices.get(0);
    int missing = controller.whole("elasticSlices", 0, SLICES_MAX, 0);
    if (missing >= count && missing > 0) {
      controller.refuse("elasticSlices", "must be less than numSlices, " + count);
    } else if (missing > 0) {
      into.addElastic(new ElasticRange(PathwaysExpansion.WORKER, count - missing, count));
    }
    ObjectCursor template = controller.object("template", "a pod template");
    if (template != null) {
      ForeignPods.read(template, PathwaysExpansion.HEAD, 1, null);
    }
  }

  private static @Nullable Boolean component(ObjectCursor component) {
    component.word("componentType", PathwaysExpansion.COMPONENTS, type -> type);
    component.text("image");
    component.texts("customFlags", Integer.MAX_VALUE, flag -> flag);
    component.objects(
        "customEnv",
        Integer.MAX_VALUE,
        "an environment variable",
        variable -> variable.requiredText("name", name -> name));
    return null;
  }

  private static int slices(ObjectCursor workers) {
    workers.whole("maxSliceRestarts", 0, Integer.MAX_VALUE);
    workers.whole("terminationGracePeriodSeconds", 0, SECONDS_MAX);
    workers.text("priorityClassName");
    LabelFields.labels(workers, "nodeSelector", Schema.LABELS_MAX);
    workers.require("type");
    workers.require("topology");
    String machine = workers.text("type");
    String topology = workers.text("topology");
    AcceleratorType type = machine == null ? null : typeOf(machine);
    if (type == null && machine != null) {
      workers.refuse(
          "type",
          "is not a machine type of the catalogue; allowed: "
              + String.join(
                  ", ",
                  AcceleratorCatalogue.BUILT_IN.types().stream()
                      .flatMap(known -> known.machineTypes().stream())
                      .map(MachineType::name)
                      .toList()));
    } else if (type != null && topology != null) {
      try {
        type.hostsPerSlice(SliceTopology.parse(topology), machine);
      } catch (InvalidValueException problem) {
        workers.refuse("topology", problem);
      }
    }
    workers.require("numSlices");
    return workers.whole("numSlices", 1, SLICES_MAX, 1);
  }

  /** The type that has a machine of that name; null if none has. */
  static @Nullable AcceleratorType typeOf(String machine) {
    for (AcceleratorType type : AcceleratorCatalogue.BUILT_IN.types()) {
      for (MachineType known : type.machineTypes()) {
        if (known.name().equals(machine)) {
          return type;
        }
      }
    }
    return null;
  }
}
