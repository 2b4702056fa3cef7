// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import io.sluice.scheduler.store.job.JobRows;
import io.sluice.scheduler.store.job.JobRows.KeyName;
import io.sluice.scheduler.store.job.JobRows.Keyed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stored jobs whose idempotency keys a transaction meets again. A repetition is recognized
 * before any check: it gets the answer of the first request, whatever happened to queues, classes
 * and limits since then.
 *
 * <p>A request is a repetition if all its jobs are stored under their keys, by one request that was
 * the same as this one. Two requests are the same if they were sent with equal manifests, or if the
 * later one spells out the defaults that a compute class filled into the earlier one. A request
 * that uses a part of the keys of another one is a conflict: requests are stored whole.
 */
final class Repetitions {
  private final Map<KeyName, Keyed> known;

  private Repetitions(Map<KeyName, Keyed> known) {
    this.known = known;
  }

  /** Looks up the keys of jobs. */
  static Repetitions find(Connection connection, Collection<Submission> jobs) throws SQLException {
    Set<KeyName> names = new LinkedHashSet<>();
    for (Submission job : jobs) {
      KeyName name = name(job);
      if (name != null) {
        names.add(name);
      }
    }
    return new Repetitions(JobRows.findKeys(connection, names));
  }

  private static @Nullable KeyName name(Submission job) {
    String key = job.idempotencyKey();
    return key == null ? null : new KeyName(job.spec().meta().namespace(), key);
  }

  /** Whether a stored job has the key of this one. */
  boolean contains(Submission job) {
    return find(job) != null;
  }

  private @Nullable Keyed find(Submission job) {
    KeyName name = name(job);
    return name == null ? null : known.get(name);
  }

  /**
   * The answer to the first request, if this one repeats it; null: no job of it is stored.
   *
   * @throws RefusedException if another request used one of its keys
   */
  @Nullable List<Acknowledgement> answer(List<Submission> jobs) {
    Submission used = jobs.stream().filter(this::contains).findFirst().orElse(null);
    if (used == null) {
      return null;
    }
    List<Acknowledgement> answer = new ArrayList<>();
    List<String> filled = new ArrayList<>();
    for (Submission job : jobs) {
      Keyed stored = find(job);
      if (stored == null) {
        throw conflict(used);
      }
      FilledJob asStored = asStored(job, stored);
      filled.add(RequestDigest.manifest(job, asStored.spec()));
      answer.add(new Acknowledgement(stored.id(), true, asStored));
    }
    String sent = RequestDigest.sent(jobs);
    String completed = RequestDigest.of(filled);
    for (Submission job : jobs) {
      Keyed stored = find(job);
      if (stored == null || !isSame(stored, sent, completed)) {
        throw conflict(job);
      }
    }
    return answer;
  }

  /**
   * Whether a request stored this job.
   *
   * @param sent digest of the request as it was sent
   * @param completed digest of the request with the defaults that its stored jobs were given; an
   *     older server stored only this one
   */
  private static boolean isSame(Keyed stored, String sent, String completed) {
    String before = stored.sentDigest();
    return before == null
        ? stored.digest().equals(completed)
        : before.equals(sent) || stored.digest().equals(sent);
  }

  private static RefusedException conflict(Submission job) {
    return new RefusedException(
        RefusedException.Kind.KEY_REUSED,
        "Idempotency-Key was used for another job of namespace " + job.spec().meta().namespace());
  }

  /** The job with the defaults that its compute class and queue filled in when it was stored. */
  private static FilledJob asStored(Submission job, Keyed stored) {
    JobSpec spec = job.spec();
    String sent = stored.sentDigest();
    boolean filled = sent != null && !sent.equals(stored.digest());
    if (job.documents() != null || (spec.computeClass() == null && !filled)) {
      return new FilledJob(spec, ClassDefaults.NONE);
    }
    JobSpec before = ManifestReader.readStoredJob(stored.manifest()).job();
    Duration limit = spec.limits().timeLimit() == null ? before.limits().timeLimit() : null;
    JobSpec limited = limit == null ? spec : spec.withTimeLimit(limit);
    if (spec.computeClass() == null) {
      return new FilledJob(limited, ClassDefaults.NONE, limit);
    }
    ClassDefaults given =
        spec.leftOpen(
            new ClassDefaults(
                before.queueing().queue(),
                before.priority().className(),
                selectors(spec.podSets(), before.podSets())));
    return new FilledJob(limited.filled(given), given, limit);
  }

  /** The selectors that pod sets without any were given; empty: none. */
  private static List<List<Requirement>> selectors(
      List<PodSetSpec> podSets, List<PodSetSpec> before) {
    for (int at = 0; at < podSets.size() && at < before.size(); at++) {
      if (!podSets.get(at).selects()) {
        return before.get(at).template().affinity().alternatives();
      }
    }
    return List.of();
  }
}
