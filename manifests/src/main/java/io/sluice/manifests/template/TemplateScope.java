// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.template;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;

/** The values that expressions can read. */
@FunctionalInterface
public interface TemplateScope {
  /**
   * The value of an expression.
   *
   * @throws InvalidValueException if there is none
   */
  JsonNode value(Expression expression);
}
