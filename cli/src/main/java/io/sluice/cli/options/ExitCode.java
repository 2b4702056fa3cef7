// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.UnexpectedAnswerException;
import io.sluice.cli.client.UnreachableException;

/** The exit codes of all commands. */
public final class ExitCode {
  /** The command did what it was asked to do. */
  public static final int OK = 0;

  /** The job, run, comparison or check did not succeed; or something failed on this machine. */
  public static final int FAILED = 1;

  /** The arguments are wrong; nothing was sent. */
  public static final int USAGE = 2;

  /** No server answers. */
  public static final int UNREACHABLE = 3;

  /**
   * The server refused the request; this includes that there is no such object, and that the answer
   * cannot be read.
   */
  public static final int REFUSED = 4;

  /** A wait reached its time limit, as with {@code timeout(1)}. */
  public static final int TIMED_OUT = 124;

  /** For the footers of commands that wait. */
  public static final String WAIT_FOOTER =
      "Exit codes: 0 as waited for, 1 ended otherwise, 2 wrong usage, 3 no server answers,"
          + " 4 refused by the server, 124 timeout.";

  private ExitCode() {}

  /** Returns the exit code of a failure. */
  public static int of(ClientException failure) {
    if (failure instanceof WrongUsageException) {
      return USAGE;
    }
    if (failure instanceof UnreachableException) {
      return UNREACHABLE;
    }
    return failure instanceof RefusedException || failure instanceof UnexpectedAnswerException
        ? REFUSED
        : FAILED;
  }
}
