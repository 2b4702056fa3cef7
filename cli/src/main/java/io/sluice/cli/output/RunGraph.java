// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.output;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Draws the dependency graph of a run's steps, one line per step, in topological order. A step's
 * lane goes from its line down to the last step that depends on it. A dependent step is joined to
 * that lane, behind unrelated lanes. A step whose mark is right below another's depends on that
 * one.
 */
public final class RunGraph {
  /** The most lanes that a reader can follow. */
  private static final int LANES_MAX = 24;

  private static final char EMPTY = ' ';
  private static final char GOES_ON = '│';
  private static final char ACROSS = '─';

  private final Map<String, List<String>> dependencies;
  private final Map<String, Integer> unseenFollowers = new LinkedHashMap<>();

  /** The step of each lane; null: the lane is free. */
  private final List<@Nullable String> lanes = new ArrayList<>();

  /** Lane of the previous step if no step depends on it; else -1. */
  private int justEnded = -1;

  private RunGraph(Map<String, List<String>> dependencies) {
    this.dependencies = dependencies;
    for (List<String> before : dependencies.values()) {
      before.forEach(step -> unseenFollowers.merge(step, 1, Integer::sum));
    }
  }

  /**
   * A step with the graph to the left of its name.
   *
   * @param drawn the graph, with {@link #MARK} at the step
   */
  public record Line(String step, String drawn) {}

  /** Marks the step itself. */
  public static final char MARK = '*';

  /**
   * Returns the lines of a graph. Steps keep the given order as far as each follows its
   * dependencies.
   *
   * @param dependencies the dependencies of each step, without a cycle
   */
  public static List<Line> lines(Map<String, List<String>> dependencies) {
    RunGraph graph = new RunGraph(dependencies);
    List<Line> lines = new ArrayList<>();
    for (String step : graph.inOrder()) {
      lines.add(new Line(step, graph.draw(step)));
    }
    if (graph.lanes.size() > LANES_MAX) {
      return lines.stream().map(line -> new Line(line.step(), String.valueOf(MARK))).toList();
    }
    return lines;
  }

  private List<String> inOrder() {
    List<String> ordered = new ArrayList<>();
    TreeSet<String> done = new TreeSet<>();
    List<String> left = new ArrayList<>(dependencies.keySet());
    while (!left.isEmpty()) {
      List<String> later = new ArrayList<>();
      for (String step : left) {
        if (done.containsAll(dependencies.getOrDefault(step, List.of()))) {
          done.add(step);
          ordered.add(step);
        } else {
          later.add(step);
        }
      }
      if (later.size() == left.size()) {
        throw new IllegalArgumentException("wait for each other in a circle: " + later);
      }
      left = later;
    }
    return ordered;
  }

  private String draw(String step) {
    TreeSet<Integer> joined = new TreeSet<>();
    for (String before : dependencies.getOrDefault(step, List.of())) {
      joined.add(lanes.indexOf(before));
      unseenFollowers.merge(before, -1, Integer::sum);
    }
    int own = lane(joined);
    int first = joined.isEmpty() ? own : Math.min(own, joined.first());
    int last = joined.isEmpty() ? own : Math.max(own, joined.last());
    StringBuilder drawn = new StringBuilder();
    for (int lane = 0; lane <= Math.max(last, lastUsed()); lane++) {
      boolean across = lane >= first && lane < last;
      drawn.append(lane == own ? MARK : glyph(lane, joined, lane > first && lane < last, own));
      drawn.append(across ? ACROSS : EMPTY);
    }
    joined.stream().filter(lane -> ends(lane)).forEach(lane -> lanes.set(lane, null));
    boolean followed = unseenFollowers.getOrDefault(step, 0) > 0;
    lanes.set(own, followed ? step : null);
    justEnded = followed ? -1 : own;
    return drawn.toString().stripTrailing();
  }

  private boolean ends(int lane) {
    String step = lanes.get(lane);
    return step == null || unseenFollowers.getOrDefault(step, 0) == 0;
  }

  /** Returns a lane that ends with the step, else a free one to the right of those joined. */
  private int lane(SortedSet<Integer> joined) {
    for (int lane : joined) {
      if (ends(lane)) {
        return lane;
      }
    }
    int lane = joined.isEmpty() ? 0 : joined.last() + 1;
    while (lane < lanes.size() && (lanes.get(lane) != null || lane == justEnded)) {
      lane++;
    }
    if (lane == justEnded) {
      lane++;
    }
    lanes.addAll(Collections.nCopies(Math.max(0, lane + 1 - lanes.size()), null));
    return lane;
  }

  private int lastUsed() {
    int last = lanes.size() - 1;
    while (last >= 0 && lanes.get(last) == null) {
      last--;
    }
    return last;
  }

  private char glyph(int lane, SortedSet<Integer> joined, boolean passed, int own) {
    boolean used = lane < lanes.size() && lanes.get(lane) != null;
    if (!joined.contains(lane)) {
      return used ? GOES_ON : passed ? ACROSS : EMPTY;
    }
    boolean outermost = lane == joined.first() || lane == joined.last();
    if (ends(lane)) {
      return outermost && !passed ? lane < own ? '└' : '┘' : '┴';
    }
    return outermost && !passed ? lane < own ? '├' : '┤' : '┼';
  }
}
