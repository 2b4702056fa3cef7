// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * A job of the demonstration, as read from the server.
 *
 * @param reason why it is in its state; empty if there is no reason
 */
record StoryJob(String id, String name, String team, String state, int attempts, String reason) {
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

  static StoryJob of(JsonNode job) {
    JsonNode status = job.path("status");
    return new StoryJob(
        job.path("id").asText(),
        job.path("metadata").path("name").asText(),
        job.path("metadata").path("namespace").asText(),
        status.path("state").asText(),
        status.path("attempts").asInt(),
        status.path("reason").asText(""));
  }

  boolean ended() {
    return ENDED.contains(state);
  }

  boolean succeeded() {
    return state.equals("SUCCEEDED");
  }

  boolean running() {
    return state.equals("RUNNING");
  }

  boolean training() {
    return name.equals(SharingChapter.TRAINING);
  }

  boolean elastic() {
    return name.equals(ElasticChapter.SEARCH);
  }

  boolean ladder() {
    return name.equals(LadderChapter.EVALUATION);
  }
}
