// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.edit;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Edits a stored manifest in the user's editor. */
@Command(
    name = "edit",
    description =
        "Opens the manifest of a quota object or pipeline in $VISUAL, else $EDITOR, else vi, and "
            + "saves it if nobody else has changed it. A refused manifest is opened again, with "
            + "the reason as comment.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: EDITOR=nano sluice edit clusterqueue/research"})
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class EditCommand implements Callable<Integer> {
  private static final int ROUNDS_MAX = 20;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the LocalQueue or pipeline. Default: all in which you may act.")
  @Nullable String namespace;

  @Parameters(
      index = "0",
      paramLabel = "KIND",
      description = "Kind of object, such as clusterqueue or cq, or KIND/NAME.")
  String kind;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "Name of the object, unless KIND/NAME is given.")
  @Nullable String name;

  @Override
  public Integer call() throws IOException, InterruptedException {
    int slash = kind.indexOf('/');
    Kinds kinds = Kinds.parse(slash < 0 ? kind : kind.substring(0, slash));
    String written = slash < 0 ? name : kind.substring(slash + 1);
    if (written == null || (slash >= 0 && name != null)) {
      throw new WrongUsageException("edit needs one name of a " + kinds.singular());
    }
    if (!ObjectPath.isStored(kinds)) {
      throw new WrongUsageException(kinds.plural() + " cannot be edited");
    }
    ServerClient client = server.client();
    ObjectPath object = ObjectPath.find(client, kinds, written, namespace);
    EditedFile file = new EditedFile();
    boolean done = false;
    try {
      int code = edit(client, StoredManifest.read(client, object), file);
      done = code == ExitCode.OK;
      return code;
    } finally {
      if (done) {
        file.delete();
      } else if (file.edited()) {
        System.err.println("sluice: the edited text is kept in " + file.path());
      }
    }
  }

  private static int edit(ServerClient client, StoredManifest first, EditedFile file)
      throws IOException, InterruptedException {
    Terminal terminal = Terminal.standard();
    StoredManifest stored = first;
    String name = stored.object().shown();
    String text = stored.yaml();
    String reason = "";
    for (int round = 1; round <= ROUNDS_MAX; round++) {
      String edited = file.edit(header(name, reason), text);
      if (edited.isBlank() || edited.equals(text)) {
        if (reason.isEmpty()) {
          terminal.print("Nothing was changed.");
          return ExitCode.OK;
        }
        System.err.println("sluice: " + name + " was not changed: " + reason);
        return ExitCode.REFUSED;
      }
      text = edited;
      try {
        stored.replace(client, edited.getBytes(StandardCharsets.UTF_8));
        terminal.print(name + " edited");
        return ExitCode.OK;
      } catch (RefusedException refused) {
        if (refused.status() == UNAUTHORIZED || refused.status() == FORBIDDEN) {
          throw refused;
        }
        reason = String.valueOf(refused.getMessage());
        if (refused.changed()) {
          StoredManifest current = StoredManifest.read(client, stored.object());
          reason = conflict(stored, current);
          stored = current;
        }
      }
    }
    throw new ClientException("the manifest was refused " + ROUNDS_MAX + " times");
  }

  /** Describes a change by somebody else; saving again replaces it. */
  private static String conflict(StoredManifest read, StoredManifest current) {
    List<String> hunks = UnifiedDiff.hunks(read.yaml(), current.yaml());
    return "it was changed meanwhile. Add these changes, or save to undo them:\n"
        + String.join("\n", hunks);
  }

  private static String header(String name, String reason) {
    if (reason.isEmpty()) {
      return "Edit "
          + name
          + ". Lines at the beginning with # are ignored.\n"
          + "Without a change, or with an empty file, nothing is saved.";
    }
    return name + " was not saved: " + reason;
  }
}
