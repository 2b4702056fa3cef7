// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Confines the pods of an executor by their namespaces. Thread-safe. */
public final class JobIsolation {
  private static final Logger LOG = System.getLogger(JobIsolation.class.getName());
  private static final String FILE = "job-accounts";

  private final IsolationSettings settings;
  private final IsolationMeans means;
  private final @Nullable NamespaceAccounts accounts;
  private final @Nullable PodCgroups cgroups;

  private JobIsolation(
      IsolationSettings settings,
      IsolationMeans means,
      @Nullable NamespaceAccounts accounts,
      @Nullable PodCgroups cgroups) {
    this.settings = settings;
    this.means = means;
    this.accounts = accounts;
    this.cgroups = cgroups;
  }

  /**
   * Opens the isolation of an executor, and logs what this machine cannot do.
   *
   * @param directory the executor's directory
   * @param work the directory in which pods run
   * @throws IOException if accounts that earlier servers assigned cannot be read, or the cgroup of
   *     the settings cannot be used
   */
  public static JobIsolation open(
      IsolationSettings settings, Path shell, Path directory, String executorId, Path work)
      throws IOException {
    IsolationMeans means = IsolationMeans.find(settings, shell, work);
    PodCgroups cgroups = cgroups(settings, shell);
    if (means.kind() != IsolationMeans.Kind.NAMESPACES) {
      LOG.log(
          means.kind() == IsolationMeans.Kind.SERVER ? Level.DEBUG : Level.WARNING,
          means.unable() == null
              ? "Jobs of all namespaces share one account: " + means.missing()
              : "No job can run, since none runs as root: " + means.unable());
      return new JobIsolation(settings, means, null, cgroups);
    }
    if (!means.hides()) {
      LOG.log(
          Level.WARNING,
          "Jobs see command lines of all processes: this machine permits no /proc of their own");
    }
    AccountClaims claims = new AccountClaims(settings.claims(), executorId, directory);
    return new JobIsolation(
        settings,
        means,
        new NamespaceAccounts(directory.resolve(FILE), claims, means.range()),
        cgroups);
  }

  private static @Nullable PodCgroups cgroups(IsolationSettings settings, Path shell)
      throws IOException {
    try {
      return settings.cgroup() == null ? null : PodCgroups.open(settings.cgroup(), shell);
    } catch (IsolationException unusable) {
      throw new IOException(unusable.reason(), unusable);
    }
  }

  /**
   * Checks that pods can be put into a cgroup.
   *
   * @throws IsolationException if its folder is none, or is not delegated to this server
   */
  public static void checkCgroup(Path folder, Path shell) throws IsolationException {
    var unused = PodCgroups.open(folder, shell);
  }

  /**
   * Returns the confinement of a namespace's pods. The first use of a namespace writes files.
   *
   * @throws IsolationException if its pods must not run here
   */
  public Confinement of(String namespace) throws IsolationException {
    if (accounts != null) {
      return means.confine(accounts.of(namespace));
    }
    if (means.unable() != null) {
      throw new IsolationException(
          "the server is root, and cannot run jobs as another account: " + means.unable());
    }
    if (settings.otherCallers().getAsBoolean() && !settings.trustCallers()) {
      throw new IsolationException(
          "the server has several callers and cannot isolate their jobs: "
              + means.missing()
              + " (start it with --trust-callers to run them without isolation)");
    }
    return means.kind() == IsolationMeans.Kind.NOBODY
        ? means.confine(Account.nobody())
        : Confinement.NONE;
  }

  /**
   * Returns the confinement of a pod that may use no more memory than it requests.
   *
   * @param all the confinement of the pods of its namespace
   * @param requests what it requests; without memory it is not bounded
   * @throws IOException if its cgroup cannot be created
   */
  public Confinement bounded(Confinement all, AttemptKey attempt, String pod, ResourceList requests)
      throws IOException {
    long bytes = requests.get(ResourceName.MEMORY);
    return cgroups == null || bytes == 0 ? all : all.behind(cgroups.enter(attempt, pod, bytes));
  }

  /** Returns why a pod was killed, to continue a sentence; empty if it is not known here. */
  public String killed(AttemptKey attempt, String pod) {
    return cgroups == null ? "" : cgroups.killed(attempt, pod);
  }

  /** Discards what bounded the pods of an attempt, which have ended. */
  public void discard(AttemptKey attempt) {
    if (cgroups != null) {
      cgroups.discard(attempt);
    }
  }

  /** Discards what bounded the pods of all other attempts. */
  public void discardAllBut(Collection<AttemptKey> kept) {
    if (cgroups != null) {
      cgroups.discardAllBut(kept);
    }
  }

  /**
   * Returns the notice in the logs of pods that run without isolation although there are several
   * callers; null: none is due.
   */
  public @Nullable String notice() {
    return accounts == null && settings.otherCallers().getAsBoolean()
        ? "not isolated from jobs of other callers (--trust-callers): " + means.missing()
        : null;
  }

  /**
   * Returns the command as the owner of a folder runs it; a server that is not root runs it itself.
   */
  public List<String> asOwner(Path folder, List<String> command) throws IOException {
    int user = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    int group = (Integer) Files.getAttribute(folder, "unix:gid", LinkOption.NOFOLLOW_LINKS);
    if (means.kind() == IsolationMeans.Kind.SERVER || user == 0) {
      return command;
    }
    try {
      Account owner = new Account(user, group);
      return new Confinement(owner, IsolationMeans.become(owner)).command(command);
    } catch (IsolationException | IllegalArgumentException unable) {
      throw new IOException(unable.getMessage(), unable);
    }
  }
}
