// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

/** A command failed; the message is for people. */
public class ClientException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClientException(String message) {
    super(message);
  }
}
