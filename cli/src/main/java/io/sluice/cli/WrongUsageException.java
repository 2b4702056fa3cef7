// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;

/** A command was given options or names that do not go together; the exit code is 2. */
final class WrongUsageException extends ClientException {
  private static final long serialVersionUID = 1L;

  WrongUsageException(String message) {
    super(message);
  }
}
