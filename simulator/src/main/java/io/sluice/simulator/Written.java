// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import io.sluice.admission.Journal;
import io.sluice.queuemodel.event.Input;
import java.util.List;

/**
 * A durable batch.
 *
 * @param epoch of the server that wrote it
 * @param inputs that it consumed, in the order of their numbers in the batch
 */
record Written(long epoch, Journal.Batch batch, List<Input> inputs) {
  Written {
    inputs = List.copyOf(inputs);
  }
}
