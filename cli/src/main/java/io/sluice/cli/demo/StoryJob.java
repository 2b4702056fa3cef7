// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.output.Cell;
import io.sluice.restmodel.job.JobEvent;
import io.sluice.restmodel.job.JobStatus;
import io.sluice.restmodel.job.JobView;
import java.util.List;
import java.util.Set;

/**
 * A job of the demonstration, as read from the server.
 *
 * @param reason why it is in its state; empty if there is no reason
 */
record StoryJob(String id, String name, String team, String state, int attempts, String reason) {
  private static final int EVENTS_MAX = 500;
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED");

  static StoryJob of(JobView job) {
    JobStatus status = job.status();
    return new StoryJob(
        job.id(),
        job.metadata().name(),
        job.metadata().namespace(),
        status.state(),
        status.attempts(),
        Cell.orEmpty(status.reason()));
  }

  /** Reads the events of a job from the server, in order. */
  static List<JobEvent> events(ServerClient client, StoryJob job) {
    String path = "/v1/jobs/" + job.id() + "/events?limit=" + EVENTS_MAX;
    return client.list(path, EVENTS_MAX, JobEvent.class);
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
