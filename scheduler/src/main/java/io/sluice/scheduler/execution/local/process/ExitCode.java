// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import io.sluice.queuemodel.event.FailureCause;
import java.util.Map;
import java.util.TreeMap;

/**
 * Describes exit codes. A process that a signal ended has 128 plus the signal's number, as in
 * shells; a process that exits with such a code itself looks the same.
 */
public final class ExitCode {
  private static final int SIGNAL_BASE = 128;
  private static final int SIGNAL_MAX = 31;

  private static final Map<Integer, String> SIGNALS = signals();

  private ExitCode() {}

  public static FailureCause cause(int code) {
    return signalled(code) ? FailureCause.SIGNAL : FailureCause.EXIT_CODE;
  }

  /** Describes the end of a pod in one line. */
  public static String describe(String pod, int code) {
    if (!signalled(code)) {
      return pod + " ended with code " + code;
    }
    int signal = code - SIGNAL_BASE;
    return pod + " was ended by " + SIGNALS.getOrDefault(signal, "signal " + signal);
  }

  private static boolean signalled(int code) {
    return code > SIGNAL_BASE && code <= SIGNAL_BASE + SIGNAL_MAX;
  }

  /** Returns the names of signals that end programs, by their numbers on this system. */
  private static Map<Integer, String> signals() {
    Map<Integer, String> signals =
        new TreeMap<>(
            Map.of(
                1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 5, "SIGTRAP", 6, "SIGABRT", 8,
                "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV", 13, "SIGPIPE"));
    signals.putAll(Map.of(14, "SIGALRM", 15, "SIGTERM", 24, "SIGXCPU", 25, "SIGXFSZ"));
    boolean linux = System.getProperty("os.name", "").startsWith("Linux");
    signals.putAll(
        linux
            ? Map.of(7, "SIGBUS", 10, "SIGUSR1", 12, "SIGUSR2")
            : Map.of(10, "SIGBUS", 12, "SIGSYS", 30, "SIGUSR1", 31, "SIGUSR2"));
    return signals;
  }
}
