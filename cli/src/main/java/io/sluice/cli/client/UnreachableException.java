// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

/** No server answers. */
public final class UnreachableException extends ClientException {
  private static final long serialVersionUID = 1L;

  UnreachableException(String message) {
    super(message);
  }
}
