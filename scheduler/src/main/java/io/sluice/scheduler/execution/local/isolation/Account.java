// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import io.sluice.scheduler.execution.local.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An unprivileged account of this machine, by its ids. It needs no entry in the list of users. */
public record Account(int userId, int groupId) {
  private static final String NOBODY = "nobody";
  private static final Duration LIMIT = Duration.ofSeconds(10);

  public Account {
    if (userId < 1 || groupId < 1) {
      throw new IllegalArgumentException("not an unprivileged account: " + userId + ":" + groupId);
    }
  }

  /** Returns the account {@code nobody}. */
  static Account nobody() throws IsolationException {
    try {
      return new Account(
          Integer.parseInt(print("id", "-u", NOBODY)), Integer.parseInt(print("id", "-g", NOBODY)));
    } catch (IOException | IllegalArgumentException none) {
      throw new IsolationException("this machine has no account " + NOBODY);
    }
  }

  /** Whether the server is root. */
  static boolean serverIsRoot() throws IsolationException {
    try {
      return print("id", "-u").equals("0");
    } catch (IOException unknown) {
      throw new IsolationException("the server's account is unknown: " + unknown.getMessage());
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
