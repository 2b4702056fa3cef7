// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel;

/**
 * Thrown for a value that a type of this module does not allow. The message names the value and
 * what would be right; whoever read the value from outside adds where it stood.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidValueException(String message) {
    super(message);
  }
}
