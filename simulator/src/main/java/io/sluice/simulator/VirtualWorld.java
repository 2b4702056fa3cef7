// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.simulator.fault.Agenda;
import io.sluice.simulator.fault.FaultPlan;
import io.sluice.simulator.fault.SimulatedClock;
import io.sluice.simulator.fault.Timeline;

/** The objects that the parts of one run share. */
record VirtualWorld(
    Agenda agenda,
    Timeline timeline,
    FaultPlan plan,
    MemoryStore store,
    CommittedState committed,
    SimulatedClock clock) {}
