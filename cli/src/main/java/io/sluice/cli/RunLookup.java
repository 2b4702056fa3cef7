// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the run that somebody names, by id or by name. */
final class RunLookup {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED", "SKIPPED");

  private final ServerClient client;
  private final @Nullable String namespace;

  RunLookup(ServerClient client, @Nullable String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** The id of the run of that id, or of that name. */
  String id(String nameOrId) {
    String name = nameOrId.startsWith("run/") ? nameOrId.substring("run/".length()) : nameOrId;
    if (ID.matcher(name).matches()) {
      return name;
    }
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("name", name);
    filter.put("namespace", namespace);
    List<JsonNode> found = client.list(ServerClient.query("/v1/runs", filter), 2);
    if (found.isEmpty()) {
      throw new ClientException(
          "there is no run " + name + (namespace == null ? "" : " in namespace " + namespace));
    }
    if (found.size() > 1) {
      throw new ClientException(
          "runs of several namespaces are named " + name + ": say which with -n");
    }
    return found.get(0).path("id").asText();
  }

  /** All of that run. */
  JsonNode find(String nameOrId) {
    return client.get("/v1/runs/" + id(nameOrId));
  }

  static boolean lives(JsonNode run) {
    return !ENDED.contains(run.path("state").asText());
  }
}
