// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Bounds the memory of pods by cgroups (version 2) in a folder that the machine delegates to the
 * server. A pod that requests memory has a cgroup of its own; the kernel ends all its processes if
 * they use more. <a href="https://docs.kernel.org/admin-guide/cgroup-v2.html">Control Group v2</a>
 * describes the files.
 */
final class PodCgroups {
  private static final String CONTROLLERS = "cgroup.controllers";
  private static final String SUBTREE = "cgroup.subtree_control";
  private static final String PROCESSES = "cgroup.procs";
  private static final String MEMORY = "memory";
  private static final String MEMORY_MAX = "memory.max";
  private static final String SWAP_MAX = "memory.swap.max";
  private static final String KILL_ALL = "memory.oom.group";
  private static final String EVENTS = "memory.events";
  private static final String NO_KILLS = "oom_kill 0";
  private static final String KILLS = "oom_kill ";

  /** Arguments: the file that takes processes; the command. 0 is the process that writes it. */
  private static final String ENTER = "echo 0 >\"$1\" || exit 126; shift; exec \"$@\"";

  private final Path folder;
  private final Path shell;

  private PodCgroups(Path folder, Path shell) {
    this.folder = folder;
    this.shell = shell;
  }

  /**
   * Opens a delegated folder, and lets its cgroups bound memory.
   *
   * @throws IsolationException if it is no cgroup of version 2, or not delegated with memory
   */
  static PodCgroups open(Path folder, Path shell) throws IsolationException {
    try {
      if (!words(folder.resolve(CONTROLLERS)).contains(MEMORY)) {
        throw new IsolationException(
            "the cgroup " + folder + " cannot bound memory: its parent does not pass it on");
      }
      if (!words(folder.resolve(SUBTREE)).contains(MEMORY)) {
        Files.writeString(folder.resolve(SUBTREE), "+" + MEMORY);
      }
      Path probe = folder.resolve("probe-" + ProcessHandle.current().pid());
      Files.createDirectory(probe);
      boolean bounds = Files.isWritable(probe.resolve(MEMORY_MAX));
      Files.delete(probe);
      if (!bounds) {
        throw new IsolationException("cgroups in " + folder + " have no writable " + MEMORY_MAX);
      }
      return new PodCgroups(folder, shell);
    } catch (NoSuchFileException missing) {
      throw new IsolationException(folder + " is no cgroup of version 2: no " + CONTROLLERS);
    } catch (IOException refused) {
      throw new IsolationException(
          "the cgroup "
              + folder
              + " is not delegated to the server, or has processes of its own: "
              + refused.getMessage());
    }
  }

  private static Set<String> words(Path file) throws IOException {
    return Arrays.stream(Files.readString(file).strip().split("\\s+")).collect(Collectors.toSet());
  }

  private static String start(AttemptKey attempt) {
    return "%s-%d-%d.".formatted(attempt.job(), attempt.index(), attempt.attempt());
  }

  private Path cgroup(AttemptKey attempt, String pod) {
    return folder.resolve(start(attempt) + pod);
  }

  /**
   * Creates the cgroup of a pod, and returns the command that enters it.
   *
   * @param bytes the most memory of all its processes
   * @throws IOException if it cannot be created, or an earlier one has processes
   */
  List<String> enter(AttemptKey attempt, String pod, long bytes) throws IOException {
    Path cgroup = cgroup(attempt, pod);
    Files.deleteIfExists(cgroup);
    Files.createDirectory(cgroup);
    Files.writeString(cgroup.resolve(MEMORY_MAX), Long.toString(bytes));
    Files.writeString(cgroup.resolve(KILL_ALL), "1");
    if (Files.exists(cgroup.resolve(SWAP_MAX))) {
      Files.writeString(cgroup.resolve(SWAP_MAX), "0");
    }
    return List.of(
        shell.toString(), "-c", ENTER, shell.toString(), cgroup.resolve(PROCESSES).toString());
  }

  /** Returns why a pod was killed; empty if it was not killed for its memory. */
  String killed(AttemptKey attempt, String pod) {
    Path cgroup = cgroup(attempt, pod);
    try {
      boolean killed =
          Files.readAllLines(cgroup.resolve(EVENTS)).stream()
              .anyMatch(line -> line.startsWith(KILLS) && !line.equals(NO_KILLS));
      if (!killed) {
        return "";
      }
      long bytes = Long.parseLong(Files.readString(cgroup.resolve(MEMORY_MAX)).strip());
      return ", because it used more than the "
          + Quantities.format(bytes, ResourceName.MEMORY)
          + " of memory that it requests";
    } catch (IOException | NumberFormatException unknown) {
      return "";
    }
  }

  /** Removes the cgroups of an attempt; those that still have processes stay. */
  void discard(AttemptKey attempt) {
    String start = start(attempt);
    remove(name -> name.startsWith(start));
  }

  /** Removes the cgroups of all other attempts; those that still have processes stay. */
  void discardAllBut(Collection<AttemptKey> kept) {
    Set<String> starts = kept.stream().map(PodCgroups::start).collect(Collectors.toSet());
    remove(name -> !starts.contains(name.substring(0, name.indexOf('.') + 1)));
  }

  private void remove(Predicate<String> which) {
    try (DirectoryStream<Path> cgroups = Files.newDirectoryStream(folder, "*-*-*.*")) {
      for (Path cgroup : cgroups) {
        if (Files.isDirectory(cgroup) && which.test(cgroup.getFileName().toString())) {
          removeEmpty(cgroup);
        }
      }
    } catch (IOException unreadable) {
      // They are empty, and the next server tries again.
    }
  }

  private static void removeEmpty(Path cgroup) {
    try {
      Files.delete(cgroup);
    } catch (IOException stillUsed) {
      // Processes that left their session are in it.
    }
  }
}
