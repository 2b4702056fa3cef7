// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import java.time.Instant;

/** Port: the clock for all deadlines. */
@FunctionalInterface
public interface RoundTime {
  Instant read();
}
