// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

/**
 * A value that the vocabulary does not allow. The message names the value and what would be right;
 * whoever read the value from outside adds where it stood.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidValueException(String message) {
    super(message);
  }
}
