// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The process of one pod. It begins as a wrapper that has its process group and its account, has
 * looked for the program, and waits for word to go. So the pods of an attempt start all or none,
 * and no program runs before its process is on record; without a server there is nobody to say go,
 * and the wrapper ends.
 *
 * <p>The wrapper's own environment names the pod, and carries the rest in numbered variables: what
 * a user sets (as {@code LD_PRELOAD}) reaches no program that runs before the account is changed,
 * and no shell. Nothing of the user's is ever part of the script's text.
 */
final class PodProcess {
  private static final String CARRIED = "SLUICE_POD_ENVIRONMENT_";
  private static final String GO = "go\n";
  private static final String READY = "ready ";
  private static final String REFUSED = "refused ";
  private static final int ANSWER_LENGTH_MAX = 80;

  /**
   * Arguments: the PATH to look in, the number of environment entries, the program, its arguments.
   * A program with '=' in its name would be an environment entry to env, so a shell stands between.
   */
  private static final String WRAPPER =
      """
      path=$1
      entries=$2
      shift 2
      refusal='not found'
      case $1 in
      */*)
        if [ -d "$1" ]; then refusal='a directory'
        elif [ -x "$1" ]; then refusal=
        elif [ -e "$1" ]; then refusal='not executable'
        fi ;;
      *)
        set -f
        IFS=:
        for folder in $path; do
          [ -f "${folder:-.}/$1" ] || continue
          if [ -x "${folder:-.}/$1" ]; then refusal=; break; fi
          refusal='not executable'
        done
        unset IFS ;;
      esac
      if [ -n "$refusal" ]; then
        echo "refused $refusal"
        exit 127
      fi
      echo "ready $$"
      read -r word && [ "$word" = go ] || exit 125
      case $1 in
      *=*) set -- "$0" -c 'exec "$@"' "$0" "$@" ;;
      esac
      while [ "$entries" -gt 0 ]; do
        eval "set -- \\"\\$SLUICE_POD_ENVIRONMENT_$entries\\" \\"\\$@\\""
        entries=$((entries - 1))
      done
      exec /usr/bin/env -i "$@" </dev/null >&2
      """;

  private final PodPlan plan;
  private final Process process;
  private @Nullable ProcessMark leader;

  private PodProcess(PodPlan plan, Process process) {
    this.plan = plan;
    this.process = process;
  }

  /**
   * Starts the wrapper.
   *
   * @param log to which the pod's output is appended
   * @throws IOException if the machine does not let it start
   */
  static PodProcess spawn(
      Platform platform, PodEnvironment environments, PodPlan plan, Path workDirectory, File log)
      throws IOException {
    SortedMap<String, String> environment = environments.complete(plan, workDirectory);
    List<String> command = new ArrayList<>(List.of(platform.shell().toString(), "-c", WRAPPER));
    command.add(platform.shell().toString());
    command.add(environment.getOrDefault(PodEnvironment.PATH, ""));
    command.add(Integer.toString(environment.size()));
    command.addAll(plan.template().command());
    ProcessBuilder builder =
        new ProcessBuilder(platform.inGroup(command))
            .directory(workDirectory.toFile())
            .redirectError(Redirect.appendTo(log));
    builder.environment().clear();
    builder.environment().put(PodEnvironment.PATH, environments.path());
    builder.environment().putAll(environments.identity(plan));
    int entry = 0;
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      entry++;
      builder.environment().put(CARRIED + entry, variable.getKey() + "=" + variable.getValue());
    }
    return new PodProcess(plan, builder.start());
  }

  PodPlan plan() {
    return plan;
  }

  /**
   * Waits until the wrapper holds.
   *
   * @return the leader of the pod's process group
   * @throws CannotStartException if the program is not there, or the wrapper ended
   */
  ProcessMark awaitReady(ProcessTable table) throws CannotStartException {
    String answer = answer();
    if (answer.startsWith(REFUSED)) {
      throw new CannotStartException(
          named()
              + " could not be started: program "
              + plan.template().command().get(0)
              + " is "
              + answer.substring(REFUSED.length()));
    }
    if (!answer.startsWith(READY)) {
      throw new CannotStartException(
          named() + " could not be started: it ended before its program; its log may say why");
    }
    long pid = Long.parseLong(answer.substring(READY.length()));
    OptionalLong start = table.startOf(pid);
    if (start.isEmpty()) {
      throw new CannotStartException(
          named() + " could not be started: it was ended before its program");
    }
    ProcessMark found = new ProcessMark(pid, start.getAsLong());
    leader = found;
    return found;
  }

  private String answer() {
    try {
      BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII);
      StringBuilder answer = new StringBuilder();
      int character = reader.read();
      while (character >= 0 && character != '\n' && answer.length() < ANSWER_LENGTH_MAX) {
        answer.append((char) character);
        character = reader.read();
      }
      return answer.toString();
    } catch (IOException killedMeanwhile) {
      return "";
    }
  }

  /** As {@code pod main-0 on host h1}. */
  String named() {
    return "pod " + plan.name() + " on host " + plan.host();
  }

  /** The leader of the pod's process group; null until it is ready. */
  @Nullable ProcessMark leader() {
    return leader;
  }

  /** Lets the program run. */
  void go() {
    try (OutputStream words = process.getOutputStream()) {
      words.write(GO.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException alreadyEnded) {
      // Its end is reported by itself.
    }
    closeAnswers();
  }

  /** Lets the wrapper end without the program. */
  void release() {
    try {
      process.getOutputStream().close();
    } catch (IOException alreadyEnded) {
      // That is what was wanted.
    }
    closeAnswers();
  }

  private void closeAnswers() {
    try {
      process.getInputStream().close();
    } catch (IOException alreadyEnded) {
      // Nothing is lost: all was read.
    }
  }

  /** Kills a wrapper that does not get ready. */
  void destroy() {
    process.destroyForcibly();
  }

  /** Completed with the exit code, 128 and the signal's number if a signal ended it. */
  CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }
}
