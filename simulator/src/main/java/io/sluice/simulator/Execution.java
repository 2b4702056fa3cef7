// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.simulator.fault.FaultPlan;
import java.time.Duration;
import java.util.List;

/** The processes of one start of an attempt on the simulated hosts. */
final class Execution {
  /** Where it stands. */
  enum Phase {
    STARTING,
    RUNNING,
    /** A process failed; others are there. */
    FAILED,
    /** SIGTERM was sent. */
    ENDING,
    /** Nobody watches it: the server that started it is dead. */
    ORPHANED,
    /** Nothing of it is left. */
    GONE
  }

  private final AttemptKey attempt;
  private final int generation;
  private final List<String> slices;
  private final List<String> hosts;
  private final int slicesAsked;
  private Phase phase = Phase.STARTING;
  private int told;
  private boolean replaced;

  /**
   * About to start.
   *
   * @param slicesAsked how many slices its job asks for
   */
  Execution(AttemptKey attempt, int generation, List<String> slices, int slicesAsked) {
    this(attempt, generation, slices, slices, slicesAsked);
  }

  /**
   * About to start.
   *
   * @param hosts of its slices
   */
  Execution(
      AttemptKey attempt,
      int generation,
      List<String> slices,
      List<String> hosts,
      int slicesAsked) {
    this.attempt = attempt;
    this.generation = generation;
    this.told = generation;
    this.slices = List.copyOf(slices);
    this.hosts = List.copyOf(hosts);
    this.slicesAsked = slicesAsked;
  }

  AttemptKey attempt() {
    return attempt;
  }

  int generation() {
    return generation;
  }

  /** The last generation of its attempt that the hosts were told of. */
  int told() {
    return told;
  }

  /** Whether that generation is to be started when this has ended. */
  boolean replaced() {
    return replaced;
  }

  /** It is to end for a newer generation. */
  void replaceBy(int newer) {
    told = Math.max(told, newer);
    replaced = true;
  }

  /** It is to end, and nothing is to follow. */
  void stopAs(int newest) {
    told = Math.max(told, newest);
    replaced = false;
  }

  List<String> slices() {
    return slices;
  }

  List<String> hosts() {
    return hosts;
  }

  int slicesAsked() {
    return slicesAsked;
  }

  Phase phase() {
    return phase;
  }

  void become(Phase next) {
    phase = next;
  }

  /** How long it takes to end once it is told to. */
  static Duration ending(FaultPlan plan, boolean deaf, Duration grace) {
    Duration prompt = Duration.ofSeconds(5);
    return deaf ? grace : plan.upTo(grace.compareTo(prompt) < 0 ? grace : prompt);
  }

  @Override
  public String toString() {
    return attempt + " of generation " + generation + " on " + slices;
  }
}
