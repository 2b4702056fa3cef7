// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The arrival of a workload.
 *
 * @param dueMillis when it is to be submitted, in milliseconds from the start
 * @param queue number of its ClusterQueue, from 0
 * @param classIndex place of its class in the load, from 0
 * @param number place among the workloads of its class in its ClusterQueue, from 1
 */
record Arrival(long dueMillis, int queue, int classIndex, int number) {
  /** The order in which workloads are submitted. */
  static final Comparator<Arrival> IN_ORDER =
      Comparator.comparingLong(Arrival::dueMillis)
          .thenComparingInt(Arrival::queue)
          .thenComparingInt(Arrival::classIndex);

  /** Returns all arrivals of a load, the earliest first. */
  static List<Arrival> of(Load load) {
    List<Arrival> arrivals = new ArrayList<>();
    for (int queue = 0; queue < load.clusterQueues(); queue++) {
      for (int index = 0; index < load.classes().size(); index++) {
        Load.WorkloadClass of = load.classes().get(index);
        for (int number = 1; number <= of.count(); number++) {
          arrivals.add(new Arrival(number * of.everyMillis(), queue, index, number));
        }
      }
    }
    arrivals.sort(IN_ORDER);
    return arrivals;
  }
}
