// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.scheduler.execution.local.files.AttemptRecords.PodRecord;
import io.sluice.scheduler.execution.local.files.PodStatus;
import io.sluice.scheduler.execution.local.isolation.Confinement;
import io.sluice.scheduler.execution.local.process.Platform;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The process of one pod, with a wrapper as its parent. It starts as a gate: the gate has its
 * process group and account, has found the program, and waits for a go-ahead on its input. So all
 * pods of an attempt start or none, and no program runs before its process is on record. Without a
 * server nothing opens the gate, and it ends. The wrapper lives as long as the pod's leader, even
 * without the server, and writes a {@link PodStatus}.
 *
 * <p>The wrapper's environment carries the pod's in numbered variables. So a user's variable such
 * as {@code LD_PRELOAD} affects neither a program that runs before the change of account nor a
 * shell. The gate's environment also identifies the pod. The wrapper's does not, so the wrapper is
 * not ended as a part of the pod. No text of the user is part of a script.
 */
final class PodProcess {
  private static final String CARRIED = "SLUICE_POD_ENVIRONMENT_";
  private static final String CARRIED_SECRET = "SLUICE_POD_SECRET_";
  private static final String GO = "go\n";
  private static final String WRAPPING = "wrapper ";
  private static final String READY = "ready ";
  private static final String REFUSED = "refused ";
  private static final int ANSWER_LENGTH_MAX = 80;

  /**
   * Arguments: path of the status without the final pid; the program that syncs a file, or empty;
   * the program that renames; variables for the gate; the gate. It waits in the foreground, since a
   * shell starts background programs with SIGINT ignored. So it passes no signals on, and survives
   * signals that may be meant for the server.
   */
  private static final String WRAPPER =
      """
      trap : HUP INT QUIT TERM
      status=$1.$$
      sync=$2
      rename=$3
      shift 3
      while [ "$1" != -- ]; do
        export "$1"
        shift
      done
      shift
      exec 3>&2 2>/dev/null 5>"$status.new"
      echo "wrapper $$"
      (exec "$@" 2>&3 3>&- 5>&5)
      echo "ended $?" >&5
      exec 5>&-
      [ -z "$sync" ] || "$sync" "$status.new"
      exec "$rename" "$status.new" "$status"
      """;

  /**
   * Arguments: the PATH to search, the number of environment entries, the number of secrets, the
   * program, its arguments. To env, a program with '=' in its name would be an environment entry,
   * so a shell starts it. Secrets are exported, since other accounts can read the arguments of env.
   */
  private static final String GATE =
      """
      path=$1
      entries=$2
      sluice_secrets=$3
      shift 3
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
      echo begun >&5
      case $1 in
      *=*) set -- "$0" -c 'exec "$@"' "$0" "$@" ;;
      esac
      while [ "$entries" -gt 0 ]; do
        eval "set -- \\"\\$SLUICE_POD_ENVIRONMENT_$entries\\" \\"\\$@\\""
        unset "SLUICE_POD_ENVIRONMENT_$entries"
        entries=$((entries - 1))
      done
      if [ "$sluice_secrets" -eq 0 ]; then
        exec /usr/bin/env -i "$@" </dev/null >&2 5>&-
      fi
      while [ "$sluice_secrets" -gt 0 ]; do
        eval "export \\"\\$SLUICE_POD_SECRET_$sluice_secrets\\""
        unset "SLUICE_POD_SECRET_$sluice_secrets"
        sluice_secrets=$((sluice_secrets - 1))
      done
      exec /usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ "$@" </dev/null >&2 5>&-
      """;

  private final PodPlan plan;
  private final Process process;
  private @Nullable PodRecord started;

  private PodProcess(PodPlan plan, Process process) {
    this.plan = plan;
    this.process = process;
  }

  /** Output files of a pod's wrapper and its program. */
  record Output(Path status, File log) {}

  /**
   * Starts the wrapper.
   *
   * @param confinement confines the gate and the program, not the wrapper
   * @param environment the environment of the pod's processes, without secrets
   * @param secrets further variables
   * @param output path of the status without the final pid of the wrapper; and the log, to which
   *     the pod's output is appended
   * @throws IOException if the process cannot be created
   */
  static PodProcess spawn(
      Platform platform,
      PodEnvironment environments,
      PodPlan plan,
      Confinement confinement,
      SortedMap<String, String> environment,
      SortedMap<String, String> secrets,
      Path workDirectory,
      Output output)
      throws IOException {
    List<String> gate = platform.script(GATE);
    gate.add(environment.getOrDefault(PodEnvironment.PATH, ""));
    gate.add(Integer.toString(environment.size()));
    gate.add(Integer.toString(secrets.size()));
    gate.addAll(plan.template().command());
    List<String> wrapper = platform.script(WRAPPER);
    wrapper.add(output.status().toString());
    wrapper.add(platform.sync());
    wrapper.add(platform.rename());
    environments.identity(plan).forEach((name, value) -> wrapper.add(name + "=" + value));
    wrapper.add("--");
    wrapper.addAll(platform.inGroup(confinement.command(gate)));
    ProcessBuilder builder =
        new ProcessBuilder(platform.inGroup(wrapper))
            .directory(workDirectory.toFile())
            .redirectError(Redirect.appendTo(output.log()));
    builder.environment().clear();
    builder.environment().put(PodEnvironment.PATH, environments.path());
    carry(builder, CARRIED, environment);
    carry(builder, CARRIED_SECRET, secrets);
    return new PodProcess(plan, builder.start());
  }

  private static void carry(
      ProcessBuilder builder, String prefix, SortedMap<String, String> variables) {
    int entry = 0;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      entry++;
      builder.environment().put(prefix + entry, variable.getKey() + "=" + variable.getValue());
    }
  }

  PodPlan plan() {
    return plan;
  }

  /**
   * Waits until the gate is ready.
   *
   * @throws CannotStartException if the program does not exist, or the gate ended
   */
  PodRecord awaitReady(ProcessTable table) throws CannotStartException {
    BufferedReader answers = process.inputReader(StandardCharsets.US_ASCII);
    String wrapping = answer(answers);
    String answer = answer(answers);
    if (answer.startsWith(REFUSED)) {
      throw new CannotStartException(
          plan.named()
              + " could not be started: program "
              + plan.template().command().get(0)
              + " is "
              + answer.substring(REFUSED.length()));
    }
    // Looked up only now, since the wrapper ends at once after a refusal.
    ProcessMark wrapper = mark(table, wrapping, WRAPPING);
    ProcessMark leader = mark(table, answer, READY);
    PodRecord made = new PodRecord(plan.name(), plan.host(), leader, wrapper);
    started = made;
    return made;
  }

  private ProcessMark mark(ProcessTable table, String answer, String word)
      throws CannotStartException {
    if (!answer.startsWith(word)) {
      throw new CannotStartException(
          plan.named() + " could not be started: it ended before its program; its log may say why");
    }
    long pid = Long.parseLong(answer.substring(word.length()));
    OptionalLong start = table.startOf(pid);
    if (start.isEmpty()) {
      throw new CannotStartException(
          plan.named() + " could not be started: it was ended before its program");
    }
    return new ProcessMark(pid, start.getAsLong());
  }

  private static String answer(BufferedReader reader) {
    try {
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

  /** Returns its record; null until it is ready. */
  @Nullable PodRecord started() {
    return started;
  }

  /** Lets the program run. */
  void go() {
    try (OutputStream words = process.getOutputStream()) {
      words.write(GO.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException alreadyEnded) {
      // The end of the process is reported separately.
    }
    closeAnswers();
  }

  /** Ends the gate without running the program. */
  void release() {
    try {
      process.getOutputStream().close();
    } catch (IOException alreadyEnded) {
      // The process has ended, as intended.
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

  /** Kills a wrapper that does not become ready. */
  void destroy() {
    process.destroyForcibly();
  }

  /** Completes when the wrapper has ended, or the shell that created its group. */
  CompletableFuture<?> ended() {
    return process.onExit();
  }
}
