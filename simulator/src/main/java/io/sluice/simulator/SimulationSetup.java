// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.simulator.fault.FaultRates;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * The setup of a run: users, faults, behaviour of attempts, and duration.
 *
 * @param users made anew for each run, of that run's randomness and nothing else
 * @param begin time at which the run begins
 * @param duration how long faults strike and users send; afterwards the run goes on until nothing
 *     is left that can finish
 * @param processesOutliveServer whether processes go on when the server that started them dies
 */
record SimulationSetup(
    Function<SplittableRandom, SimulatedUsers> users,
    FaultRates faults,
    RunProfile runs,
    Instant begin,
    Duration duration,
    boolean processesOutliveServer) {
  /** This, with other faults. */
  public SimulationSetup withFaults(FaultRates other) {
    return new SimulationSetup(users, other, runs, begin, duration, processesOutliveServer);
  }

  /** This, with processes that outlive their server or do not. */
  public SimulationSetup withProcessesOutliveServer(boolean outlive) {
    return new SimulationSetup(users, faults, runs, begin, duration, outlive);
  }
}
