// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

/**
 * Whether the blocked jobs of a ClusterQueue get planned starts, and in which order its jobs stand.
 *
 * @param mode how the queue is served
 * @param plannedDepth number of blocked jobs, from the first, that get a planned start; at least 1
 * @param ranking how long limits count in the order of its jobs; without effect unless planned
 */
public record Queueing(Mode mode, int plannedDepth, Ranking ranking) {
  /** How a queue is served. */
  public enum Mode {
    /** As in Kueue: a blocked job has no date. */
    KUEUE("kueue"),
    /** The first blocked jobs get a planned start, which no other admission may delay. */
    PLANNED("planned");

    private final String word;

    Mode(String word) {
      this.word = word;
    }

    /** Returns its word in annotations and options. */
    public String word() {
      return word;
    }
  }

  /** The annotation of a ClusterQueue with the word of its mode. */
  public static final String ANNOTATION = "sluice.io/queueing";

  /** The annotation of a ClusterQueue with its planned depth. */
  public static final String DEPTH_ANNOTATION = "sluice.io/planned-depth";

  /** The largest permitted depth. */
  public static final int DEPTH_MAX = 1_000;

  /** Kueue's behaviour. */
  public static final Queueing KUEUE = new Queueing(Mode.KUEUE, 1);

  public Queueing {
    if (plannedDepth < 1 || plannedDepth > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "planned depth must be from 1 to " + DEPTH_MAX + ", not " + plannedDepth);
    }
  }

  /** Creates a queueing with the default ranking. */
  public Queueing(Mode mode, int plannedDepth) {
    this(mode, plannedDepth, Ranking.DEFAULT);
  }

  /** Returns planned starts for the first blocked jobs, with the default ranking. */
  public static Queueing planned(int depth) {
    return new Queueing(Mode.PLANNED, depth);
  }

  /** Returns the same with another mode. */
  public Queueing withMode(Mode other) {
    return new Queueing(other, plannedDepth, ranking);
  }

  /** Returns the same with another ranking. */
  public Queueing withRanking(Ranking other) {
    return new Queueing(mode, plannedDepth, other);
  }

  public boolean isPlanned() {
    return mode == Mode.PLANNED;
  }
}
