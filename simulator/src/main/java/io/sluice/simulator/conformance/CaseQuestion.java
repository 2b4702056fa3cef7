// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The question of one kind of cases to the engine. */
interface CaseQuestion {
  /**
   * The answer.
   *
   * @throws UnanswerableCaseException if there is none, with the reason
   */
  ObjectNode answer(ConformanceCase asked);
}
