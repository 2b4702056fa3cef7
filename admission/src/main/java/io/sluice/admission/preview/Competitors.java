// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of a state in which a job competes for room: the quota trees that share a flavor with
 * its queue, directly or through others, with their attempts, claims and the first pending jobs of
 * each kind. Its cost does not depend on the number of pending jobs.
 *
 * @param groups resource groups of the job's queue
 * @param snapshot snapshot of that part; null if it is too large for a trial
 * @param cut last included job of each line of equal jobs that is truncated. If a trial admits none
 *     of these, the omitted jobs change nothing
 */
public record Competitors(
    JobId job,
    List<ResourceGroup> groups,
    @Nullable StateSnapshot snapshot,
    List<JobId> cut,
    Instant now) {
  /** Maximum number of jobs that a trial includes from one line of equal jobs. */
  static final int LINE_MAX = 32;

  private static final String SLICES = "/slices";

  private static final int JOBS_MAX = 2_000;
  private static final int ATTEMPTS_MAX = 10_000;

  public Competitors {
    groups = List.copyOf(groups);
    cut = List.copyOf(cut);
  }

  /** Collects the current competitors of a job. */
  public static Competitors of(AdmissionState state, JobEntry job) {
    return new Collection(state, job).collect();
  }

  /** Collects the parts of one result. */
  private static final class Collection {
    private final AdmissionState state;
    private final JobEntry job;
    private final NavigableSet<Integer> roots;
    private final TreeMap<JobId, JobRecord> jobs = new TreeMap<>();
    private final List<AttemptRecord> attempts = new ArrayList<>();
    private final List<JobId> cut = new ArrayList<>();
    private boolean tooLarge;

    Collection(AdmissionState state, JobEntry job) {
      this.state = state;
      this.job = job;
      this.roots = roots(state, job);
    }

    Competitors collect() {
      for (Attempt attempt : state.attempts()) {
        if (attempts.size() <= ATTEMPTS_MAX && competes(attempt.job())) {
          attempts.add(attempt.toRecord());
          add(attempt.job());
        }
      }
      tooLarge |= attempts.size() > ATTEMPTS_MAX;
      add(job);
      for (ClaimState claim : state.claims()) {
        add(claim.job());
      }
      for (RungKey keeper : state.slices().standings().keepers()) {
        JobEntry kept = state.findJob(keeper.job());
        if (kept != null) {
          add(kept);
        }
      }
      for (QueueState queue : state.queues()) {
        if (competes(queue)) {
          queue.pending().lines(null).forEach(this::addFirst);
        }
      }
      tooLarge |= jobs.size() > JOBS_MAX + attempts.size();
      return new Competitors(
          job.id(),
          job.queue().spec().resourceGroups(),
          tooLarge ? null : snapshot(),
          cut,
          state.now());
    }

    private StateSnapshot snapshot() {
      return StateSnapshot.withoutJobs(state)
          .with(List.copyOf(jobs.values()), attempts)
          .withClaims(
              state.claims().stream()
                  .filter(claim -> jobs.containsKey(claim.job().id()))
                  .map(ClaimState::claim)
                  .toList());
    }

    private void add(JobEntry other) {
      if (competes(other) && jobs.size() <= JOBS_MAX + ATTEMPTS_MAX) {
        jobs.computeIfAbsent(other.id(), absent -> other.toRecord());
      }
    }

    private boolean competes(JobEntry other) {
      return competes(other.queue());
    }

    private boolean competes(QueueState queue) {
      return roots.contains(state.ledger().tree().root(queue.node()));
    }

    /** Jobs on ladders differ within a line, so none of them is omitted. */
    private void addFirst(Iterator<JobEntry> line) {
      int count = 0;
      JobEntry last = null;
      while (line.hasNext() && !tooLarge) {
        JobEntry next = line.next();
        if (count >= LINE_MAX && last != null && next.ladder().isEmpty()) {
          cut.add(last.id());
          return;
        }
        add(next);
        last = next;
        count++;
        tooLarge |= jobs.size() > JOBS_MAX + attempts.size();
      }
    }

    /**
     * Returns the roots of the trees that share a flavor with the job's tree, directly or through
     * others.
     */
    private static NavigableSet<Integer> roots(AdmissionState state, JobEntry job) {
      NavigableSet<Integer> roots = new TreeSet<>();
      NavigableSet<String> flavors = new TreeSet<>();
      roots.add(state.ledger().tree().root(job.queue().node()));
      if (job.workload().shape().accelerator() != null) {
        // Its queue may not cover chips yet.
        flavors.add(SLICES);
      }
      boolean grown = true;
      while (grown) {
        grown = false;
        for (QueueState queue : state.queues()) {
          int root = state.ledger().tree().root(queue.node());
          List<String> its = flavorsOf(queue);
          if (its.stream().anyMatch(flavors::contains)) {
            grown |= roots.add(root);
          }
          if (roots.contains(root)) {
            grown |= flavors.addAll(its);
          }
        }
      }
      return roots;
    }

    private static List<String> flavorsOf(QueueState queue) {
      List<String> flavors = new ArrayList<>();
      for (ResourceGroup group : queue.spec().resourceGroups()) {
        group.flavors().stream().map(FlavorQuotas::flavor).forEach(flavors::add);
        if (group.coveredResources().contains(ResourceName.TPU)) {
          // Several flavors may offer the same slice.
          flavors.add(SLICES);
        }
      }
      return flavors;
    }
  }
}
