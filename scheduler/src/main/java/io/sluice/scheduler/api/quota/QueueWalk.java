// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.restmodel.quota.PendingWorkloadsSummary.PendingWorkload;
import io.sluice.restmodel.quota.PendingWorkloadsSummary.WorkloadMetadata;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.NamespaceScope;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page of the pending jobs of a queue, with their places. It reads at most {@value
 * #PLACES_MAX} places at a time from the state, so that commits wait no longer for a late page than
 * for the first. Jobs that come or go between two reads shift later places.
 */
final class QueueWalk {
  static final int PLACES_MAX = 1_000;

  /** Answers one short question from the state. */
  interface View {
    <R> CommittedView.Answer<R> ask(Function<AdmissionState, R> question);
  }

  private final View view;
  private final NamespaceScope readable;
  private final int offset;
  private final int limit;
  private final List<PendingWorkload> items = new ArrayList<>();
  private final Map<QueueKey, Integer> counts = new TreeMap<>();
  private @Nullable JobEntry last;
  private int place;
  private int matching;

  /**
   * A walk that has not begun.
   *
   * @param readable namespaces that the caller may read; jobs elsewhere have places and are not
   *     listed
   * @param offset number of jobs to skip
   * @param limit maximum number of jobs to list
   */
  QueueWalk(View view, NamespaceScope readable, int offset, int limit) {
    this.view = view;
    this.readable = readable;
    this.offset = offset;
    this.limit = limit;
  }

  private enum Progress {
    NO_QUEUE,
    MORE,
    DONE
  }

  /**
   * The page; null if there is no queue.
   *
   * @param queue finds the ClusterQueue in which the jobs wait; null: there is none
   * @param only the LocalQueue whose jobs are listed; null: all
   */
  CommittedView.@Nullable Answer<List<PendingWorkload>> read(
      Function<AdmissionState, @Nullable QueueState> queue, @Nullable QueueKey only) {
    while (true) {
      CommittedView.Answer<Progress> answer =
          view.ask(
              state -> {
                QueueState found = queue.apply(state);
                return found == null ? Progress.NO_QUEUE : next(found, only);
              });
      if (answer.value() == Progress.NO_QUEUE) {
        return null;
      }
      if (answer.value() == Progress.DONE) {
        return new CommittedView.Answer<>(List.copyOf(items), answer.sequence());
      }
    }
  }

  private Progress next(QueueState queue, @Nullable QueueKey only) {
    Iterator<JobEntry> waiting = queue.waiting(last);
    for (int walked = 0; walked < PLACES_MAX; walked++) {
      if (items.size() == limit || !waiting.hasNext()) {
        return Progress.DONE;
      }
      last = waiting.next();
      Workload workload = last.workload();
      int inLocal = counts.merge(workload.queue(), 1, Integer::sum) - 1;
      boolean listed = only == null || only.equals(workload.queue());
      if (listed && readable.contains(workload.queue().namespace()) && matching++ >= offset) {
        items.add(item(workload, place, inLocal));
      }
      place++;
    }
    return Progress.MORE;
  }

  private static PendingWorkload item(Workload workload, int place, int inLocal) {
    return new PendingWorkload(
        new WorkloadMetadata(
            workload.name(),
            workload.queue().namespace(),
            workload.id().toString(),
            workload.createdAt()),
        workload.priority().value(),
        workload.queue().name(),
        place,
        inLocal);
  }
}
