// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.queuemodel.event.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Generates the inputs of users and administrators, and the pauses between them. */
interface SimulatedUsers {
  /** Quota objects and a fleet, before anything else. */
  List<Input> setUp();

  /**
   * What they send now.
   *
   * @param now by the database's clock
   */
  List<Input> next(Instant now);

  /** How long until they send again; more than nothing. */
  Duration pause();

  /** What they send last, when faults have ended: edits after which work can go on. */
  List<Input> settle();
}
