// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.projection.SliceCopies;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.submission.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The simulated changes that no manifest expresses.
 *
 * @param timeLimits new time limits by job
 * @param added number of copies by slice
 * @param removed names of slices
 */
record SimulatedEdits(
    SortedMap<JobId, Duration> timeLimits, SortedMap<String, Integer> added, List<String> removed) {
  private static final int EDITS_MAX = 100;
  private static final int COPIES_MAX = 1_000;

  SimulatedEdits {
    timeLimits = new TreeMap<>(timeLimits);
    added = new TreeMap<>(added);
    removed = List.copyOf(removed);
  }

  /**
   * Reads the parameters.
   *
   * @param timeLimits each {@code JOB=DURATION}
   * @param added each {@code SLICE=COUNT}
   * @param removed names of slices
   * @throws ProblemException 400 naming the parameter at fault
   */
  static SimulatedEdits read(List<String> timeLimits, List<String> added, List<String> removed) {
    SortedMap<JobId, Duration> limits = new TreeMap<>();
    pairs("timeLimit", timeLimits, (job, text) -> limits.put(jobId(job), limit(text)));
    SortedMap<String, Integer> copies = new TreeMap<>();
    pairs("addSlices", added, (slice, text) -> copies.put(slice, count(text)));
    if (copies.values().stream().mapToInt(Integer::intValue).sum() > COPIES_MAX) {
      throw ProblemException.badRequest("addSlices must add at most %d".formatted(COPIES_MAX));
    }
    checkCount("removeSlice", removed);
    return new SimulatedEdits(limits, copies, removed);
  }

  private static void pairs(String name, List<String> texts, BiConsumer<String, String> take) {
    checkCount(name, texts);
    for (String text : texts) {
      int equals = text.lastIndexOf('=');
      if (equals < 1) {
        throw ProblemException.badRequest(
            "%s must be NAME=VALUE, it is %s".formatted(name, Parameters.shown(text)));
      }
      take.accept(text.substring(0, equals), text.substring(equals + 1));
    }
  }

  private static void checkCount(String name, List<String> texts) {
    if (texts.size() > EDITS_MAX) {
      throw ProblemException.badRequest(
          "%s may be repeated %d times, it is there %d times"
              .formatted(name, EDITS_MAX, texts.size()));
    }
  }

  private static JobId jobId(String text) {
    try {
      return JobId.parse(text);
    } catch (InvalidValueException unreadable) {
      throw ProblemException.badRequest(
          "timeLimit must be JOB=DURATION with the id of a job, it names "
              + Parameters.shown(text));
    }
  }

  private static Duration limit(String text) {
    Duration limit = Parameters.duration("timeLimit", text);
    if (limit.isNegative() || limit.isZero()) {
      throw ProblemException.badRequest("timeLimit must be more than 0s, it is " + limit);
    }
    return limit;
  }

  private static int count(String text) {
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= COPIES_MAX) {
        return count;
      }
    } catch (NumberFormatException unreadable) {
      throw notCount(text);
    }
    throw notCount(text);
  }

  private static ProblemException notCount(String text) {
    return ProblemException.badRequest(
        "addSlices must be SLICE=COUNT with a count from 1 to %d, it has %s"
            .formatted(COPIES_MAX, Parameters.shown(text)));
  }

  boolean isEmpty() {
    return timeLimits.isEmpty() && !changesFleet();
  }

  boolean changesFleet() {
    return !added.isEmpty() || !removed.isEmpty();
  }

  /**
   * Returns the inputs that change the fleet.
   *
   * @throws RefusedException naming a slice that does not exist
   */
  List<Input> fleetInputs(StateSnapshot snapshot) {
    List<Input> inputs = new ArrayList<>();
    Fleet fleet = snapshot.fleet();
    for (Map.Entry<String, Integer> entry : added.entrySet()) {
      String name = entry.getKey();
      Slice model = slice(snapshot.fleet(), "addSlices", name);
      int before = fleet.slices().size();
      int[] next = {before};
      List<Input> copies =
          SliceCopies.of(
              fleet, model, entry.getValue(), () -> "simulated-" + name + "-" + next[0]++);
      for (Input input : copies) {
        fleet = input instanceof Input.SetFleet set ? set.fleet() : fleet;
      }
      inputs.addAll(copies);
    }
    for (String name : removed) {
      slice(snapshot.fleet(), "removeSlice", name);
      inputs.add(new Input.ReclaimSlice(name, Duration.ZERO));
    }
    return inputs;
  }

  private static Slice slice(Fleet fleet, String parameter, String name) {
    return fleet.slices().stream()
        .filter(slice -> slice.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedException(
                    RefusedException.Kind.UNPROCESSABLE,
                    "%s: the fleet has no slice %s".formatted(parameter, Parameters.shown(name))));
  }
}
