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

/** The numbered, reference-counted shapes of jobs. */
public final class Shapes {
  /** A shape with its number and its demand. */
  public static final class Shape {
    private final WorkloadShape wanted;
    private final int number;
    private final long[] demand;
    private final boolean ofQuotaAlone;
    private int jobs;

    Shape(WorkloadShape wanted, int number, long[] demand) {
      this.wanted = wanted;
      this.number = number;
      this.demand = demand;
      PodSet only = wanted.podSets().size() == 1 ? wanted.podSets().get(0) : null;
      this.ofQuotaAlone =
          only != null
              && only.minCount() == null
              && only.topology() == null
              && wanted.accelerator() == null
              && wanted.computeClass() == null;
    }

    public int number() {
      return number;
    }

    /**
     * Returns, by number of resource, the largest amount that any single pod set requests at least.
     * A flavor with less free cannot serve that pod set.
     */
    public long[] demand() {
      return demand;
    }

    /**
     * Whether a job of this shape gets exactly its demand, and quota alone decides whether it fits.
     */
    public boolean ofQuotaAlone() {
      return ofQuotaAlone;
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
   * Returns, by number of resource, the amount that every shape requests at least. Shapes with a
   * compute class count as 0, because their jobs are always tried.
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

  /** Discards the minima if adding or removing this shape may change them. */
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

  /** Returns the numbers, from 0, of all resources requested so far. */
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
