// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

/** The server cannot start; the message is one line for people. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartException(String message) {
    super(message);
  }
}
