// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The unprivileged account that runs the jobs of a server that is root itself.
 *
 * @param prefix command that changes to this account and runs the command that follows
 */
public record Account(int userId, int groupId, List<String> prefix) {
  private static final Logger LOG = System.getLogger(Account.class.getName());
  private static final String NAME = "nobody";
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Prints the user id, and checks that the folder can be entered and written. */
  private static final String PROBE = "cd \"$1\" && : > probe && rm probe && id -u";

  public Account {
    prefix = List.copyOf(prefix);
  }

  /**
   * Returns the account, if the server is root and can change to it; otherwise a root server logs
   * the reason once.
   *
   * @param workDirectory where jobs will run
   */
  static Optional<Account> probe(Path shell, Path workDirectory) {
    try {
      if (!"0".equals(print("id", "-u"))) {
        return Optional.empty();
      }
      Path switcher =
          Tool.find("setpriv")
              .orElseThrow(() -> new IOException("setpriv is not installed (part of util-linux)"));
      Account account = of(switcher);
      account.enter(shell, workDirectory);
      return Optional.of(account);
    } catch (IOException | NumberFormatException impossible) {
      LOG.log(
          Level.WARNING,
          "Jobs run as root, since they cannot run as "
              + NAME
              + ": "
              + impossible.getMessage()
              + ". Better start the server as a user of its own.");
      return Optional.empty();
    }
  }

  private static Account of(Path switcher) throws IOException {
    int userId = Integer.parseInt(print("id", "-u", NAME));
    int groupId = Integer.parseInt(print("id", "-g", NAME));
    return new Account(
        userId,
        groupId,
        List.of(
            switcher.toString(),
            "--reuid=" + userId,
            "--regid=" + groupId,
            "--clear-groups",
            "--no-new-privs",
            "--"));
  }

  private void enter(Path shell, Path workDirectory) throws IOException {
    Path folder = Files.createTempDirectory(workDirectory, "probe");
    try {
      own(folder);
      List<String> command = new ArrayList<>(prefix);
      command.addAll(List.of(shell.toString(), "-c", PROBE, shell.toString(), folder.toString()));
      Tool.Output output = Tool.run(command, LIMIT);
      if (!output.text().equals(Integer.toString(userId))) {
        throw new IOException(
            "as that user, "
                + workDirectory
                + " cannot be entered and written (each folder above it must be open to others,"
                + " chmod o+x)");
      }
    } finally {
      Files.delete(folder);
    }
  }

  /** Changes the owner of a folder or file to the account. */
  public void own(Path folder) throws IOException {
    UserPrincipalLookupService lookup = folder.getFileSystem().getUserPrincipalLookupService();
    PosixFileAttributeView view =
        Files.getFileAttributeView(folder, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    view.setGroup(lookup.lookupPrincipalByGroupName(Integer.toString(groupId)));
    view.setOwner(lookup.lookupPrincipalByName(Integer.toString(userId)));
  }

  private static String print(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(
        Tool.find(program)
            .orElseThrow(() -> new IOException(program + " is not installed"))
            .toString());
    command.addAll(List.of(arguments));
    return Tool.run(command, LIMIT).text();
  }
}
