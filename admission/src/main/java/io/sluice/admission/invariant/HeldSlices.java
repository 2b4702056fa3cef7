// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.invariant;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.record.LastResize;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.PodSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** P2: a slice and each host serve at most one attempt, and an attempt has a permitted number. */
final class HeldSlices {
  private HeldSlices() {}

  static void check(AdmissionState state, List<String> violations) {
    SortedMap<String, AttemptKey> holders = new TreeMap<>();
    SortedMap<String, AttemptKey> users = new TreeMap<>();
    SortedMap<AttemptKey, List<String>> vacating = new TreeMap<>();
    for (Attempt attempt : state.attempts()) {
      if (!attempt.vacating().isEmpty()) {
        vacating.put(attempt.key(), attempt.vacating());
      }
      checkNumber(attempt, violations);
      checkResize(attempt, violations);
      for (String slice : attempt.assignment().slices()) {
        checkHolder(state, holders, slice, attempt, violations);
        checkHosts(state, users, slice, attempt, violations);
      }
      for (String slice : attempt.letGo()) {
        checkHolder(state, holders, slice, attempt, violations);
        checkHosts(state, users, slice, attempt, violations);
      }
    }
    if (!vacating.equals(state.slices().vacating())) {
      violations.add(
          "attempts free %s, recorded are %s".formatted(vacating, state.slices().vacating()));
    }
    for (ClaimState claim : state.claims()) {
      IndexKey holder = claim.claim().holder();
      for (String slice : claim.claim().wanted().slices()) {
        if (!holder.equals(state.slices().claimant(slice))) {
          violations.add("slice %s is not recorded as claimed by %s".formatted(slice, holder));
        }
      }
    }
  }

  private static void checkNumber(Attempt attempt, List<String> violations) {
    AcceleratorRequest wanted = attempt.job().workload().shape().accelerator();
    int slices = attempt.assignment().slices().size();
    if (wanted == null ? slices != 0 : !wanted.slices().contains(slices)) {
      violations.add(
          "P2: %s has wrong slices %s".formatted(attempt.key(), attempt.assignment().slices()));
    }
    if (wanted != null && wanted.elastic()) {
      for (PodSetAssignment given : attempt.assignment().podSets()) {
        int pods =
            attempt.job().workload().shape().podSets(slices).stream()
                .filter(podSet -> podSet.name().equals(given.name()))
                .mapToInt(PodSet::count)
                .sum();
        if (pods != given.count()) {
          violations.add("%s needs %d pods on %d slices".formatted(attempt.key(), pods, slices));
        }
      }
    }
  }

  /**
   * Checks that released slices are held until the resize is settled, with quota for all in use.
   */
  private static void checkResize(Attempt attempt, List<String> violations) {
    LastResize resize = attempt.lastResize();
    if (resize == null) {
      return;
    }
    int slices = attempt.assignment().slices().size();
    boolean wrong =
        resize.settled()
            ? !resize.letGo().isEmpty() || resize.counted() != slices
            : resize.counted() < slices || resize.counted() > slices + resize.letGo().size();
    if (wrong) {
      violations.add("%s has %d slices after %s".formatted(attempt.key(), slices, resize));
    }
  }

  private static void checkHolder(
      AdmissionState state,
      SortedMap<String, AttemptKey> holders,
      String slice,
      Attempt attempt,
      List<String> violations) {
    AttemptKey other = holders.put(slice, attempt.key());
    if (other != null) {
      violations.add("P2: slice %s is held by %s and %s".formatted(slice, other, attempt.key()));
    }
    if (!attempt.key().equals(state.slices().holder(slice))) {
      violations.add("P2: slice %s is not recorded as held by %s".formatted(slice, attempt.key()));
    }
  }

  private static void checkHosts(
      AdmissionState state,
      SortedMap<String, AttemptKey> users,
      String slice,
      Attempt attempt,
      List<String> violations) {
    Slice known = state.slices().find(slice);
    for (String host : known == null ? List.<String>of() : known.hosts()) {
      AttemptKey there = users.put(host, attempt.key());
      if (there != null) {
        violations.add("P2: host %s is used by %s and %s".formatted(host, there, attempt.key()));
      }
    }
  }
}
