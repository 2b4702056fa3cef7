// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

/** What the parts of one run share. */
record VirtualWorld(
    Agenda agenda,
    Timeline timeline,
    FaultPlan plan,
    MemoryStore store,
    CommittedState committed,
    SimulatedClock clock) {}
