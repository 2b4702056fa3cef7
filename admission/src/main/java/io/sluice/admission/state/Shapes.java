// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The shapes that are in use, numbered; one that no job has any more is forgotten. */
final class Shapes {
  /** A shape, and what is computed of it once. */
  static final class Shape {
    private final WorkloadShape wanted;
    private final int number;
    private final long[] demand;
    private int jobs;

    Shape(WorkloadShape wanted, int number, long[] demand) {
      this.wanted = wanted;
      this.number = number;
      this.demand = demand;
    }

    int number() {
      return number;
    }

    /**
     * By number of resource, the most that one pod set asks of it at the least: a flavor that has
     * less free cannot serve that pod set, whatever serves the others.
     */
    long[] demand() {
      return demand;
    }
  }

  private final LinkedHashMap<WorkloadShape, Shape> shapes = new LinkedHashMap<>();
  private final TreeMap<ResourceName, Integer> resources = new TreeMap<>();
  private int nextNumber;

  Shape acquire(WorkloadShape wanted) {
    Shape shape = shapes.get(wanted);
    if (shape == null) {
      shape = new Shape(wanted, nextNumber++, demand(wanted));
      shapes.put(wanted, shape);
    }
    shape.jobs++;
    return shape;
  }

  void release(Shape shape) {
    if (--shape.jobs == 0) {
      shapes.remove(shape.wanted);
    }
  }

  /** Numbers of the resources that any shape asked for so far, from 0. */
  Map<ResourceName, Integer> resources() {
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
