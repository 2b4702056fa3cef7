// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.usage;

import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The shapes that are in use, numbered; one that no job has any more is forgotten. */
public final class Shapes {
  /** A shape, and what is computed of it once. */
  public static final class Shape {
    private final WorkloadShape wanted;
    private final int number;
    private final long[] demand;
    private int jobs;

    Shape(WorkloadShape wanted, int number, long[] demand) {
      this.wanted = wanted;
      this.number = number;
      this.demand = demand;
    }

    public int number() {
      return number;
    }

    /**
     * By number of resource, the most that one pod set asks of it at the least: a flavor that has
     * less free cannot serve that pod set, whatever serves the others.
     */
    public long[] demand() {
      return demand;
    }

    private long leastOf(int resource) {
      boolean bounded = resource < demand.length && wanted.computeClass() == null;
      return bounded ? demand[resource] : 0;
    }
  }

  private final LinkedHashMap<WorkloadShape, Shape> shapes = new LinkedHashMap<>();
  private final TreeMap<ResourceName, Integer> resources = new TreeMap<>();
  private int nextNumber;
  private long @Nullable [] least;

  /**
   * By number of resource, what every shape asks for at the least. A class is asked for nothing,
   * since its jobs are tried whatever there is.
   */
  public long[] leastDemand() {
    long[] known = least;
    if (known == null || known.length < resources.size()) {
      known = new long[resources.size()];
      Arrays.fill(known, shapes.isEmpty() ? 0 : Long.MAX_VALUE);
      for (Shape shape : shapes.values()) {
        for (int resource = 0; resource < known.length; resource++) {
          known[resource] = Math.min(known[resource], shape.leastOf(resource));
        }
      }
      least = known;
    }
    return known;
  }

  /** Whether the least of all may be another without, or with, this shape. */
  private void noteChange(Shape shape) {
    long[] known = least;
    for (int resource = 0; known != null && resource < known.length; resource++) {
      if (shape.leastOf(resource) <= known[resource]) {
        least = null;
        return;
      }
    }
  }

  public Shape acquire(WorkloadShape wanted) {
    Shape shape = shapes.get(wanted);
    if (shape == null) {
      shape = new Shape(wanted, nextNumber++, demand(wanted));
      shapes.put(wanted, shape);
      noteChange(shape);
    }
    shape.jobs++;
    return shape;
  }

  public void release(Shape shape) {
    if (--shape.jobs == 0) {
      shapes.remove(shape.wanted);
      noteChange(shape);
    }
  }

  /** Numbers of the resources that any shape asked for so far, from 0. */
  public Map<ResourceName, Integer> resources() {
    return resources;
  }

  private long[] demand(WorkloadShape shape) {
    for (PodSet podSet : shape.podSets()) {
      for (ResourceName resource : podSet.requests().amounts().keySet()) {
        resources.putIfAbsent(resource, resources.size());
      }
    }
    long[] demand = new long[resources.size()];
    for (PodSet podSet : shape.leastPodSets()) {
      Integer least = podSet.minCount();
      PodSet smallest = least == null ? podSet : podSet.withCount(least);
      for (Map.Entry<ResourceName, Long> total : smallest.total().amounts().entrySet()) {
        int number = Objects.requireNonNull(resources.get(total.getKey()));
        demand[number] = Math.max(demand[number], total.getValue());
      }
    }
    int last = demand.length;
    while (last > 0 && demand[last - 1] == 0) {
      last--;
    }
    return Arrays.copyOf(demand, last);
  }
}
