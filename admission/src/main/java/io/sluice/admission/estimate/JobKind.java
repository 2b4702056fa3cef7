// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.Workload;
import java.time.Duration;
import java.util.List;

/**
 * What is known about a job before it runs, from which its run time is estimated.
 *
 * @param clusterQueue name of its ClusterQueue
 * @param namespace namespace of its LocalQueue
 * @param submitter its submitter; empty if that is not known
 * @param name its name with each number replaced by {@code #}, so that the runs of a pipeline step
 *     have one name
 * @param pods number of its pods
 * @param limitSeconds its time limit in seconds; 0 without one
 */
public record JobKind(
    String clusterQueue,
    String namespace,
    String submitter,
    String name,
    long pods,
    double limitSeconds) {
  private static final double NANOS = 1e9;

  public JobKind {
    name = pattern(name);
  }

  /** Returns the kind of a job in a ClusterQueue. */
  public static JobKind of(Workload workload, String clusterQueue) {
    long pods = 0;
    for (PodSet podSet : workload.shape().podSets()) {
      pods += podSet.count();
    }
    Duration limit = workload.limits().timeLimit();
    return new JobKind(
        clusterQueue,
        workload.queue().namespace(),
        workload.submitter(),
        workload.name(),
        pods,
        limit == null ? 0 : seconds(limit));
  }

  static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / NANOS;
  }

  private static String pattern(String name) {
    StringBuilder pattern = new StringBuilder(name.length());
    boolean number = false;
    for (int at = 0; at < name.length(); at++) {
      char read = name.charAt(at);
      boolean digit = read >= '0' && read <= '9';
      if (!digit) {
        pattern.append(read);
      } else if (!number) {
        pattern.append('#');
      }
      number = digit;
    }
    return pattern.toString();
  }

  /** Returns the unit of its run times: its limit, or one second without a limit. */
  double unitSeconds() {
    return limitSeconds > 0 ? limitSeconds : 1;
  }

  boolean limited() {
    return limitSeconds > 0;
  }

  /** Returns the keys by which run times are kept, the most specific first. */
  List<String> keys() {
    String limit = limited() ? "of " + limitSeconds : "unlimited";
    String share = limited() ? "share" : "seconds";
    String own = namespace + '/' + submitter;
    return List.of(
        "job " + own + '/' + name + '/' + pods + '/' + limit,
        "limit " + own + '/' + limit,
        "submitter " + own + '/' + share,
        "queue " + clusterQueue + '/' + share + '/' + limitClass(),
        "all " + share);
  }

  /** Returns the number of the limit's class; limits of a class are within a factor of 4. */
  private long limitClass() {
    return limited() ? Math.round(Math.log(limitSeconds) / Math.log(4)) : 0;
  }
}
