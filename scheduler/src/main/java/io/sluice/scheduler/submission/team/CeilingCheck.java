// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.team.Ceilings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the priority and the classes of a job against the ceilings of its team. */
public final class CeilingCheck {
  private CeilingCheck() {}

  /**
   * Violations by the priority class and by the compute class of a job.
   *
   * @param priority of the job; null: its class does not exist
   */
  public static List<Violation> ofClasses(
      int document, JobSpec job, Team team, @Nullable Integer priority) {
    List<Violation> violations = new ArrayList<>(ofPriority(document, job, team, priority));
    String computeClass = job.computeClass();
    if (computeClass != null && !team.ceilings().allowsComputeClass(computeClass)) {
      String must = oneOf(team.ceilings().computeClasses());
      violations.add(refused(document, "spec.computeClass", computeClass, must, team));
    }
    return violations;
  }

  /**
   * Violations by the priority class of a job.
   *
   * @param priority of the job; null: its class does not exist
   */
  public static List<Violation> ofPriority(
      int document, JobSpec job, Team team, @Nullable Integer priority) {
    List<Violation> violations = new ArrayList<>();
    Ceilings ceilings = team.ceilings();
    String className = job.priority().className();
    String shown = className == null ? "" : className;
    String path = "spec.priorityClass";
    if (!ceilings.allowsPriorityClass(className)) {
      violations.add(refused(document, path, shown, oneOf(ceilings.priorityClasses()), team));
    }
    if (priority != null && !ceilings.allowsPriority(priority)) {
      String must = "have a value of at most %d, it is %d".formatted(ceilings.priority(), priority);
      violations.add(refused(document, path, shown, must, team));
    }
    return violations;
  }

  private static String oneOf(List<String> names) {
    return "be " + (names.size() == 1 ? "" : "one of ") + String.join(", ", names);
  }

  private static Violation refused(
      int document, String path, String value, String must, Team team) {
    return new Violation(
        document,
        path,
        value,
        "must %s: the ceilings of team %s allow no other".formatted(must, team.meta().name()));
  }
}
