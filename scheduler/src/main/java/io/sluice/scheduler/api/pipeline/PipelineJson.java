// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.pipeline.run.ExpectedFinish;
import io.sluice.scheduler.pipeline.run.StoredRun;
import java.util.List;

/** Parts of other answers about pipelines. */
public final class PipelineJson {
  private PipelineJson() {}

  /** Adds the objects that must exist before runs succeed, if any. */
  public static void putWarnings(ObjectNode json, List<String> warnings) {
    if (!warnings.isEmpty()) {
      ArrayNode list = json.putArray("warnings");
      warnings.forEach(list::add);
    }
  }

  /** Adds the run of a job, and the state of that run, to the job's explanation. */
  public static void putPlace(ObjectNode json, StoredRun run) {
    json.put("id", run.id().toString());
    json.put("name", run.of().name());
    StoredRun.Outlook outlook = run.outlook();
    if (outlook.deadline() != null) {
      json.put("deadline", outlook.deadline().toString());
    }
    ExpectedFinish expected = outlook.expected();
    if (expected != null) {
      json.putObject("expectedFinish")
          .put("earliest", expected.earliest().toString())
          .put("latest", expected.latest().toString());
    }
    if (outlook.lateness() != null) {
      json.put("lateness", outlook.lateness().name());
    }
  }
}
