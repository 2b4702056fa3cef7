// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.client;

/** The server answered a request, but this command cannot read the answer. */
public final class UnexpectedAnswerException extends ClientException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure.
   *
   * @param path path of the request
   * @param field the field at fault, as {@code status.state}; empty: the body as a whole
   */
  public UnexpectedAnswerException(String path, String field, String reason) {
    super(
        ("the server's answer to %s cannot be read%s: %s. Are the server and this command of the"
                + " same version?")
            .formatted(path, field.isEmpty() ? "" : " at " + field, reason));
  }
}
