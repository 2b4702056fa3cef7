// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ClientException;

/** A command has an invalid combination of options or names; the exit code is 2. */
public final class WrongUsageException extends ClientException {
  private static final long serialVersionUID = 1L;

  public WrongUsageException(String message) {
    super(message);
  }
}
