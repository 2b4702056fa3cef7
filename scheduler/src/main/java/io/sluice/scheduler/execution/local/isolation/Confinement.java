// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.isolation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The account of a pod's processes, and the command that confines them to it.
 *
 * @param account null: the server's own account
 * @param prefix command that confines the command that follows
 */
public record Confinement(@Nullable Account account, List<String> prefix) {
  /** Processes run as the server's own account. */
  public static final Confinement NONE = new Confinement(null, List.of());

  public Confinement {
    prefix = List.copyOf(prefix);
  }

  /** Returns the command as the account runs it. */
  public List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(command);
    return whole;
  }

  /** Returns the same confinement behind a further command. */
  Confinement behind(List<String> further) {
    List<String> whole = new ArrayList<>(further);
    whole.addAll(prefix);
    return new Confinement(account, whole);
  }

  /** Makes the account the owner of a folder or file. */
  public void own(Path folder) throws IOException {
    if (account != null) {
      account.own(folder);
    }
  }
}
