// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.Journal;

/** The parts that a run is made of. A test replaces one by a broken one, to see it found out. */
class Parts {
  private final boolean processesOutliveServer;

  Parts(SimulationSetup setup) {
    this.processesOutliveServer = setup.processesOutliveServer();
  }

  /** What the round is given for a journal. */
  Journal journal(MemoryJournal journal) {
    return journal;
  }

  SimulatedFleet fleet(
      VirtualWorld world, RunProfile profile, ReportLine reports, FleetBooks books) {
    return new SimulatedFleet(world, profile, reports, books);
  }

  Intake intake(VirtualWorld world, Runnable wake) {
    return new Intake(world, wake);
  }

  /** Whether commands on their way are lost with the server. */
  boolean commandsDieWithServer() {
    return !processesOutliveServer;
  }
}
