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

/** Finds the job that somebody names, by id or by name. */
final class JobLookup {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED");
  private static final int LOOKED_AT = 100;

  private final ServerClient client;
  private final @Nullable String namespace;

  JobLookup(ServerClient client, @Nullable String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** The job of that id; or of that name, the newest that lives, else the newest. */
  JsonNode find(String nameOrId) {
    String name = nameOrId.startsWith("job/") ? nameOrId.substring("job/".length()) : nameOrId;
    if (ID.matcher(name).matches()) {
      return client.get("/v1/jobs/" + name);
    }
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("name", name);
    filter.put("namespace", namespace);
    List<JsonNode> found = client.list(ServerClient.query("/v1/jobs", filter), LOOKED_AT);
    if (found.isEmpty()) {
      throw new ClientException(
          "there is no job " + name + (namespace == null ? "" : " in namespace " + namespace));
    }
    List<JsonNode> live = found.stream().filter(JobLookup::lives).toList();
    JsonNode chosen = live.isEmpty() ? found.get(0) : live.get(0);
    if (live.size() > 1) {
      System.err.printf(
          "sluice: %d jobs are named %s; this is the newest, %s%n",
          live.size(), name, chosen.path("id").asText());
    }
    return chosen;
  }

  static boolean lives(JsonNode job) {
    return !ENDED.contains(job.path("status").path("state").asText());
  }
}
