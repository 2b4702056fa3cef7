// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Run times of past attempts, as shares of their time limit, or in seconds where there is none.
 * They are kept by job name, by limit and submitter, by submitter, by queue and for all jobs; a
 * question is answered by the first of these that knows enough.
 *
 * <p>Memory is bounded: a fixed number of values per key and of keys, of which the one that was
 * used least recently is dropped.
 */
public final class RunTimes {
  /** Maximum number of keys. */
  static final int KEYS_MAX = 20_000;

  private static final int SAMPLES_MAX = 60;
  private static final int COMMON_SAMPLES_MAX = 200;

  /** Number of keys of a kind that belong to its submitter. */
  private static final int OWN_KEYS = 3;

  /** Minimum number of values that answer a question. */
  private static final int ENOUGH = 8;

  private final LinkedHashMap<String, Samples> samples = new LinkedHashMap<>(16, 0.75f, true);

  /** Records the run time of an attempt that ended by itself or at its limit. */
  public void add(JobKind kind, double seconds) {
    double value = seconds / kind.unitSeconds();
    if (kind.limited()) {
      value = Math.min(1, value);
    }
    List<String> keys = kind.keys();
    for (int at = 0; at < keys.size(); at++) {
      int most = at < OWN_KEYS ? SAMPLES_MAX : COMMON_SAMPLES_MAX;
      samples.computeIfAbsent(keys.get(at), absent -> new Samples(most)).add(value);
    }
    Iterator<String> oldest = samples.keySet().iterator();
    for (int over = samples.size() - KEYS_MAX; over > 0; over--) {
      oldest.next();
      oldest.remove();
    }
  }

  /** Returns the run times of a kind of jobs, as known now. */
  OfKind of(JobKind kind) {
    List<Samples> known = new ArrayList<>();
    for (String key : kind.keys()) {
      Samples its = samples.get(key);
      if (its != null) {
        known.add(its);
      }
    }
    return new OfKind(kind, known);
  }

  /** The run times of one kind of jobs. */
  static final class OfKind {
    private static final double LEAST_AGE_SECONDS = 60;

    private final JobKind kind;
    private final List<Samples> known;

    private OfKind(JobKind kind, List<Samples> known) {
      this.kind = kind;
      this.known = known;
    }

    /**
     * Returns a quantile of the run time of an attempt that has run for a time, in seconds. Without
     * any knowledge, a limited run time is as likely to end at any time up to its limit. One
     * without a limit is as likely to end before as after twice its age.
     *
     * @param share from 0, inclusive, to 1, exclusive
     */
    double quantileSeconds(double ageSeconds, double share) {
      double unit = kind.unitSeconds();
      double age = ageSeconds / unit;
      Samples best = best(age);
      if (best != null) {
        return best.quantileAbove(age, share) * unit;
      }
      return kind.limited()
          ? ageSeconds + Math.max(0, unit - ageSeconds) * share
          : Math.max(LEAST_AGE_SECONDS, ageSeconds) / (1 - share);
    }

    private @Nullable Samples best(double age) {
      Samples last = null;
      for (Samples its : known) {
        int above = its.countAbove(age);
        if (above >= ENOUGH) {
          return its;
        }
        last = above > 0 ? its : last;
      }
      return last;
    }
  }
}
