// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.login;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.access.Permission;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice can-i}: whether the server permits something, before it is tried. */
@Command(
    name = "can-i",
    description =
        "Says whether you may do something. Ends with 0 if you may, and with 1 if not. Examples:"
            + " can-i submit jobs -n vision; can-i update clusterqueues --as ann --groups leads.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class CanICommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Parameters(
      index = "0",
      paramLabel = "VERB",
      description =
          "Such as get, submit, cancel, hold, update or drain. With one that is not known, the answer"
              + " names all of the kind.")
  String verb;

  @Parameters(
      index = "1",
      paramLabel = "KIND",
      description = "Such as jobs, pipelines, hosts or clusterqueues.")
  String kind;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the objects. Default: that of the context, else all.")
  @Nullable String namespace;

  @Option(
      names = "--as",
      paramLabel = "USER",
      description = "Another user, for auditors and administrators. Default: you.")
  @Nullable String as;

  @Option(
      names = "--groups",
      paramLabel = "GROUP",
      split = ",",
      description = "Groups of that user at the identity provider. Default: none.")
  @Nullable List<String> groups;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "text",
      description =
          "Output format: text, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Override
  public Integer call() {
    OutputForm form = OutputForm.parse(output, "text");
    StringBuilder path = new StringBuilder("/v1/permission");
    path.append("?verb=").append(ServerClient.encode(verb));
    path.append("&kind=").append(ServerClient.encode(kind));
    if (namespace != null) {
      path.append("&namespace=").append(ServerClient.encode(namespace));
    }
    if (as != null) {
      path.append("&as=").append(ServerClient.encode(as));
    }
    for (String group : groups == null ? List.<String>of() : groups) {
      path.append("&group=").append(ServerClient.encode(group));
    }
    JsonNode answer = server.client().get(path.toString());
    Permission permission = JsonRecords.read(answer, Permission.class, "/v1/permission");
    Terminal terminal = Terminal.standard();
    if (form.is("text")) {
      terminal.print(List.of(permission.allowed() ? "yes" : "no", permission.reason()));
    } else {
      terminal.print(form.object(answer));
    }
    return permission.allowed() ? 0 : 1;
  }
}
