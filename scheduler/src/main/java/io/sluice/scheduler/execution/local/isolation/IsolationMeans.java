// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import io.sluice.scheduler.execution.local.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The accounts that this server can run pods as, found by trying. A root server never runs a pod as
 * root.
 */
public final class IsolationMeans {
  private static final Path ETC = Path.of("/etc");
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Prints the user id, and checks that the folder can be entered and written. */
  private static final String PROBE = "cd \"$1\" && : > probe && rm probe && id -u";

  /**
   * Arguments: the program {@code mount}, or empty; the command. The new /proc shows to each
   * account its own processes only, with the same ids as outside. It is in a mount namespace of its
   * own, where an account without capabilities cannot remove it.
   */
  private static final String ENTER =
      """
      umask 077
      mount=$1
      shift
      if [ -n "$mount" ]; then
        "$mount" -t proc -o hidepid=invisible proc /proc || exit 126
      fi
      exec "$@"
      """;

  /** The kinds of accounts. */
  enum Kind {
    /** An account for each namespace. */
    NAMESPACES,
    /** The account {@code nobody} for all. */
    NOBODY,
    /** The account of a server that is not root. */
    SERVER,
    /** None: the server is root and cannot change to another account. */
    NONE
  }

  private final Kind kind;
  private final String reason;
  private final AccountRange range;
  private final int processesMax;
  private final Path shell;
  private boolean hides;

  private IsolationMeans(
      Kind kind, String reason, AccountRange range, int processesMax, Path shell) {
    this.kind = kind;
    this.reason = reason;
    this.range = range;
    this.processesMax = processesMax;
    this.shell = shell;
  }

  /**
   * Tries what this server can do.
   *
   * @param shell a POSIX shell
   * @param folder a folder of the server, in or below which pods will run
   */
  public static IsolationMeans find(IsolationSettings settings, Path shell, Path folder) {
    AccountRange range = AccountRange.DEFAULT;
    String missing;
    try {
      if (!Account.serverIsRoot()) {
        return new IsolationMeans(
            Kind.SERVER, "the server is not root", range, settings.processesMax(), shell);
      }
      range = settings.range() == null ? AccountRange.ofMachine(ETC) : settings.range();
      range.requireFree(ETC);
      AccountClaims.requireUsable(settings.claims());
      IsolationMeans means =
          new IsolationMeans(Kind.NAMESPACES, "", range, settings.processesMax(), shell);
      means.tryHiding(folder);
      return means;
    } catch (IsolationException unable) {
      missing = unable.reason();
    }
    try {
      IsolationMeans shared =
          new IsolationMeans(Kind.NOBODY, missing, range, settings.processesMax(), shell);
      shared.attempt(shared.confine(Account.nobody()), folder);
      return shared;
    } catch (IsolationException unable) {
      return new IsolationMeans(Kind.NONE, unable.reason(), range, settings.processesMax(), shell);
    }
  }

  private void tryHiding(Path folder) throws IsolationException {
    Account first = new Account(range.first(), range.first());
    hides = Tool.find("unshare").isPresent() && Tool.find("mount").isPresent();
    if (hides) {
      try {
        attempt(confine(first), folder);
        return;
      } catch (IsolationException withHiding) {
        hides = false;
      }
    }
    attempt(confine(first), folder);
  }

  /** Runs programs as the account, which must be able to write into a folder of its own. */
  private void attempt(Confinement confinement, Path parent) throws IsolationException {
    Path folder = null;
    try {
      int code = run(confinement, ":").exitCode();
      if (code != 0) {
        throw new IsolationException(
            "a program cannot be started as another account: "
                + confinement.prefix().get(0)
                + " or what it runs ended with code "
                + code);
      }
      folder = Files.createTempDirectory(parent, "probe");
      confinement.own(folder);
      Account account = confinement.account();
      String printed = run(confinement, PROBE, folder.toString()).text();
      if (account == null || !printed.equals(Integer.toString(account.userId()))) {
        throw new IsolationException(
            "an unprivileged account cannot enter and write "
                + parent
                + " (each folder above it must be open to others, chmod o+x)");
      }
    } catch (IOException failed) {
      throw new IsolationException("an account of jobs cannot be used: " + failed.getMessage());
    } finally {
      delete(folder);
    }
  }

  private Tool.Output run(Confinement confinement, String script, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(shell.toString(), "-c", script, shell.toString()));
    command.addAll(List.of(arguments));
    return Tool.run(confinement.command(command), LIMIT);
  }

  private static void delete(@Nullable Path folder) {
    try {
      if (folder != null) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException filled) {
      // An empty probe is harmless; the directories of pods are elsewhere.
    }
  }

  Kind kind() {
    return kind;
  }

  AccountRange range() {
    return range;
  }

  /** Returns why pods of different namespaces share an account; null: each has its own. */
  public @Nullable String missing() {
    return kind == Kind.NAMESPACES ? null : reason;
  }

  /** Returns why no pod can run; null: pods can. */
  public @Nullable String unable() {
    return kind == Kind.NONE ? reason : null;
  }

  /** Whether pods see only processes of their own account. */
  boolean hides() {
    return hides;
  }

  /** Returns the command that confines a pod to an account of its namespace or to nobody. */
  Confinement confine(Account account) throws IsolationException {
    try {
      List<String> prefix = new ArrayList<>();
      if (hides) {
        prefix.addAll(List.of(tool("unshare"), "--mount", "--propagation", "private", "--"));
      }
      prefix.addAll(
          List.of(shell.toString(), "-c", ENTER, shell.toString(), hides ? tool("mount") : ""));
      if (kind == Kind.NAMESPACES) {
        prefix.add(tool("prlimit"));
        prefix.addAll(Limits.arguments(processesMax));
        prefix.add("--");
      }
      prefix.addAll(become(account));
      return new Confinement(account, prefix);
    } catch (IOException unreadable) {
      throw new IsolationException("limits cannot be read: " + unreadable.getMessage());
    }
  }

  /** Returns the command that changes to an account without any capability. */
  static List<String> become(Account account) throws IsolationException {
    return List.of(
        tool("setpriv"),
        "--reuid=" + account.userId(),
        "--regid=" + account.groupId(),
        "--clear-groups",
        "--no-new-privs",
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--bounding-set=-all",
        "--");
  }

  private static String tool(String name) throws IsolationException {
    return Tool.find(name)
        .map(Path::toString)
        .orElseThrow(() -> new IsolationException(name + " is not installed (part of util-linux)"));
  }
}
