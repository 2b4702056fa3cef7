// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import java.time.Instant;

/** Port: the clock that all deadlines are compared with. */
@FunctionalInterface
public interface RoundTime {
  Instant read();
}
