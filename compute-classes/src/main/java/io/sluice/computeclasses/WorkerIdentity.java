// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobArray;
import java.util.List;
import java.util.TreeMap;

/**
 * The identity of a worker of an attempt, from the slices that the attempt holds at this start.
 * Nothing of it is taken from what an earlier start was told: a stale count of slices makes jobs
 * wait for ever.
 *
 * @param slices that the attempt holds, in the order of their slice ids
 * @param sliceId index of the worker's slice among them
 * @param workerId index of the worker's host in its slice
 */
public record WorkerIdentity(
    AttemptKey attempt, int generation, List<Slice> slices, int sliceId, int workerId) {
  /** Where worker 0 of slice 0 listens for the others' first call. */
  public static final int MEGASCALE_PORT = 8080;

  public WorkerIdentity {
    slices = List.copyOf(slices);
  }

  /**
   * The environment that TPU programs read, by name. The {@code MEGASCALE} variables are there only
   * with more than one slice: their presence alone makes a program expect others.
   *
   * @throws InvalidValueException if the catalogue has no such type
   */
  public TreeMap<String, String> environment(AcceleratorCatalogue catalogue) {
    Slice slice = slices.get(sliceId);
    TreeMap<String, String> environment = attemptEnvironment(attempt, generation);
    environment.put("TPU_NAME", slice.name());
    environment.put("TPU_WORKER_ID", Integer.toString(workerId));
    environment.put("TPU_WORKER_HOSTNAMES", String.join(",", slice.hosts()));
    environment.put("TPU_TOPOLOGY", slice.topology().toString());
    environment.put(
        "TPU_ACCELERATOR_TYPE", catalogue.type(slice.acceleratorType()).podType(slice.topology()));
    HostGrid grid = HostGrid.ofSlice(slice);
    if (grid != null) {
      environment.put("TPU_CHIPS_PER_HOST_BOUNDS", grid.block().bounds());
      environment.put("TPU_HOST_BOUNDS", grid.hosts().bounds());
    }
    environment.put("TPU_SKIP_MDS_QUERY", "true");
    if (slices.size() > 1) {
      environment.put("MEGASCALE_NUM_SLICES", Integer.toString(slices.size()));
      environment.put("MEGASCALE_SLICE_ID", Integer.toString(sliceId));
      environment.put("MEGASCALE_COORDINATOR_ADDRESS", slices.get(0).hosts().get(0));
      environment.put("MEGASCALE_PORT", Integer.toString(MEGASCALE_PORT));
    }
    return environment;
  }

  /**
   * The environment of a worker whose array has other numbers than its indices: programs read the
   * number, and {@code SLUICE_ATTEMPT_INDEX} is the index by which the server knows the attempt.
   */
  public static TreeMap<String, String> numbered(
      TreeMap<String, String> environment, AttemptKey attempt, JobArray array) {
    if (array.numbers() != null) {
      String number = Integer.toString(array.number(attempt.index()));
      environment.put("SLUICE_INDEX", number);
      environment.put("JOB_COMPLETION_INDEX", number);
      environment.put("SLUICE_ATTEMPT_INDEX", Integer.toString(attempt.index()));
    }
    return environment;
  }

  /** What every worker is told of its attempt, with slices or without. */
  public static TreeMap<String, String> attemptEnvironment(AttemptKey attempt, int generation) {
    TreeMap<String, String> environment = new TreeMap<>();
    environment.put("SLUICE_JOB_ID", attempt.job().toString());
    environment.put("SLUICE_INDEX", Integer.toString(attempt.index()));
    environment.put("SLUICE_ATTEMPT", Integer.toString(attempt.attempt()));
    environment.put("SLUICE_GENERATION", Integer.toString(generation));
    environment.put("JOB_COMPLETION_INDEX", Integer.toString(attempt.index()));
    return environment;
  }
}
