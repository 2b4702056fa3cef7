// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.plan;

import io.sluice.admission.estimate.StatedRange;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.plan.QueueAccuracy;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.job.AccuracyReader;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** How good expected starts were, over REST. */
@Tag(name = "Plan")
@Path("/v1/accuracy")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class AccuracyResource {
  private static final double MILLIS = 1_000;

  private final AccuracyReader accuracy;

  AccuracyResource(AccuracyReader accuracy) {
    this.accuracy = accuracy;
  }

  /** ClusterQueues with jobs that started after an expected start was stated, by name. */
  @Operation(
      operationId = "listAccuracy",
      summary = "Lists how good the expected starts of each ClusterQueue were")
  @GET
  public Page<QueueAccuracy> list(
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    String after = cursor == null ? "" : Pages.readName(cursor);
    List<AccuracyReader.Accuracy> found =
        accuracy.list(after, Objects.requireNonNullElse(clusterQueue, ""), limit + 1);
    return Pages.of(found, limit, AccuracyResource::answer, last -> Pages.writeName(last.queue()));
  }

  private static QueueAccuracy answer(AccuracyReader.Accuracy of) {
    return new QueueAccuracy(
        of.queue(),
        of.starts(),
        StatedRange.CONFIDENCE,
        rounded((double) of.inRange() / of.starts()),
        rounded((double) of.early() / of.starts()),
        rounded(of.medianWaitSeconds()),
        rounded(of.medianErrorSeconds()));
  }

  private static double rounded(double value) {
    return Math.rint(value * MILLIS) / MILLIS;
  }
}
