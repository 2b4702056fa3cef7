// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.policy.Pursuit;
import java.util.List;

/**
 * An ordered ladder of capacity, the first rung the best; GKE's object, with our terms in an
 * annotation.
 *
 * @param rungs at least one
 * @param pursuit in which order its rungs are gone after, and whether who runs moves up
 * @param defaults what it fills in of jobs that name it
 * @param fields the other fields of its spec as they were written, by name, each as JSON: they are
 *     kept and given back, and mean nothing here
 */
public record ComputeClass(
    ObjectMeta meta,
    List<Rung> rungs,
    WhenUnsatisfiable whenUnsatisfiable,
    Pursuit pursuit,
    ClassDefaults defaults,
    Labels fields)
    implements QuotaObject {
  /** The annotation with a list of our terms, one entry a rung. */
  public static final String RUNGS_ANNOTATION = "sluice.io/rungs";

  /** The annotation that says in which order its rungs are gone after. */
  public static final String PURSUE_ANNOTATION = "sluice.io/pursue";

  /** The annotation that says what a restart on a better rung costs, in time. */
  public static final String RESTART_ANNOTATION = "sluice.io/restart-overhead";

  /** The annotation with what it fills in of jobs that name it. */
  public static final String DEFAULTS_ANNOTATION = "sluice.io/defaults";

  public ComputeClass {
    rungs = List.copyOf(rungs);
  }

  /** A class that fills in nothing. */
  public ComputeClass(
      ObjectMeta meta,
      List<Rung> rungs,
      WhenUnsatisfiable whenUnsatisfiable,
      Pursuit pursuit,
      Labels fields) {
    this(meta, rungs, whenUnsatisfiable, pursuit, ClassDefaults.NONE, fields);
  }

  /** What becomes of a job when no rung can be had. */
  public enum WhenUnsatisfiable {
    /** It waits for the first rung to cool down. */
    DO_NOT_SCALE_UP("DoNotScaleUp"),
    /** It takes any flavor of its queue. */
    SCALE_UP_ANYWAY("ScaleUpAnyway");

    private final String word;

    WhenUnsatisfiable(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }
  }

  /** Whether the other offers the same rungs on the same terms. */
  public boolean sameLadder(ComputeClass other) {
    return rungs.equals(other.rungs)
        && whenUnsatisfiable == other.whenUnsatisfiable
        && pursuit.order() == other.pursuit.order();
  }

  /** The same with other rungs. */
  public ComputeClass with(List<Rung> other) {
    return new ComputeClass(meta, other, whenUnsatisfiable, pursuit, defaults, fields);
  }

  /** The same with other defaults. */
  public ComputeClass with(ClassDefaults other) {
    return new ComputeClass(meta, rungs, whenUnsatisfiable, pursuit, other, fields);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.COMPUTE_CLASS;
  }

  /** Of its defaults the priority class; a queue is one of many, in the namespace of each job. */
  @Override
  public List<ObjectKey> references() {
    String priorityClass = defaults.priorityClass();
    return priorityClass == null
        ? List.of()
        : List.of(ObjectKey.of(ObjectKind.WORKLOAD_PRIORITY_CLASS, priorityClass));
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.computeClass(this);
  }
}
