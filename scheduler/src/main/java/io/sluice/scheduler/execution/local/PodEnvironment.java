// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.scheduler.execution.local.files.WorkDirectories;
import io.sluice.scheduler.execution.local.isolation.Account;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the environment of a pod's processes. It passes on nothing else of the server's own
 * environment.
 */
final class PodEnvironment {
  static final String POD = "SLUICE_POD";
  static final String HOST = "SLUICE_HOST";
  static final String PROGRESS_FILE = "SLUICE_PROGRESS_FILE";
  static final String CHECKPOINT_FILE = "SLUICE_CHECKPOINT_FILE";
  static final String OUTPUT_FILE = "SLUICE_OUTPUT_FILE";
  static final String CHECKPOINT = "SLUICE_CHECKPOINT";
  static final String PATH = "PATH";

  private static final String USER = "sluice-";
  private static final String PATH_WITHOUT_ONE = "/usr/local/bin:/usr/bin:/bin";

  private final Map<String, String> server;
  private final String executorId;

  /**
   * Creates the builder of a server.
   *
   * @param server the server's own environment
   */
  PodEnvironment(Map<String, String> server, String executorId) {
    this.server = Map.copyOf(server);
    this.executorId = executorId;
  }

  /** Returns the variables that identify the pod, set from the start of its process. */
  SortedMap<String, String> identity(PodPlan pod) {
    TreeMap<String, String> identity = new TreeMap<>(pod.identity());
    identity.put(POD, pod.name());
    identity.put(HOST, pod.host());
    identity.put(ProcessTable.EXECUTOR_ID, executorId);
    return identity;
  }

  /**
   * Returns the whole environment. Later layers win: base and rendezvous, the user's variables, the
   * identity.
   *
   * @param account the pod's account, which the machine's list of users does not name; null: the
   *     server's own
   * @param checkpoint the checkpoint from which the pod continues; null: from the beginning
   */
  SortedMap<String, String> complete(
      PodPlan pod, Path workDirectory, @Nullable Account account, @Nullable String checkpoint) {
    TreeMap<String, String> environment = new TreeMap<>(base());
    if (account != null) { // programs ask for a name, and fail without one
      environment.put("LOGNAME", USER + account.userId());
      environment.put("USER", USER + account.userId());
    }
    environment.put("HOME", workDirectory.toString());
    environment.put("TMPDIR", workDirectory.toString());
    environment.putAll(pod.meeting());
    environment.putAll(pod.template().environment().entries());
    environment.putAll(identity(pod));
    environment.put(PROGRESS_FILE, WorkDirectories.progressFile(workDirectory).toString());
    environment.put(CHECKPOINT_FILE, WorkDirectories.checkpointFile(workDirectory).toString());
    environment.put(OUTPUT_FILE, WorkDirectories.outputFile(workDirectory).toString());
    environment.remove(CHECKPOINT);
    if (checkpoint != null) {
      environment.put(CHECKPOINT, checkpoint);
    }
    return environment;
  }

  private Map<String, String> base() {
    TreeMap<String, String> base = new TreeMap<>();
    base.put(PATH, path());
    inherit("LANG", base);
    inherit("TZ", base);
    return base;
  }

  private void inherit(String name, Map<String, String> base) {
    @Nullable String value = server.get(name);
    if (value != null) {
      base.put(name, value);
    }
  }

  /** Returns the server's PATH. */
  String path() {
    return server.getOrDefault(PATH, PATH_WITHOUT_ONE);
  }
}
