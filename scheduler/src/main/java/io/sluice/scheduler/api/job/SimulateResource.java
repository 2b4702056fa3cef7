// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.manifests.Configuration;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.document.Violation;
import io.sluice.restmodel.simulation.SimulationAnswer;
import io.sluice.scheduler.api.Bodies;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.RefusedException;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Simulates changes over REST: who would start when, and who would be displaced. */
@Tag(name = "Plan")
@Path("/v1/simulate")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.SUBMITS)
@Blocking
class SimulateResource {
  /** Maximum number of documents, each of which may be a job. */
  private static final int DOCUMENTS_MAX = 1_000;

  private static final Duration HORIZON_MAX = Duration.ofDays(30);

  private final Simulations simulations;
  private final ApplyReader reader;
  private final Configuration configuration;

  SimulateResource(Simulations simulations, ApplyReader reader, Configuration configuration) {
    this.simulations = simulations;
    this.reader = reader;
    this.configuration = configuration;
  }

  /** Simulates the documents of a body, and the changes of the parameters. */
  @Operation(
      operationId = "simulate",
      summary = "Simulates changes: which jobs would start when, and which would be displaced")
  @POST
  @Consumes(MediaType.WILDCARD)
  public SimulationAnswer simulate(
      byte[] body,
      @QueryParam("timeLimit") List<String> timeLimits,
      @QueryParam("addSlices") List<String> addedSlices,
      @QueryParam("removeSlice") List<String> removedSlices,
      @QueryParam("horizon") @DefaultValue("168h") Duration horizon) {
    SimulatedEdits edits = SimulatedEdits.read(timeLimits, addedSlices, removedSlices);
    if (horizon.isNegative() || horizon.isZero() || horizon.compareTo(HORIZON_MAX) > 0) {
      throw ProblemException.badRequest(
          "horizon must be more than 0s and at most 720h, it is " + horizon);
    }
    boolean blank = new String(body, StandardCharsets.UTF_8).isBlank();
    if (blank && edits.isEmpty()) {
      throw ProblemException.badRequest(
          "nothing is to be simulated: send manifests, or one of timeLimit, addSlices and"
              + " removeSlice");
    }
    List<PlacedManifest> manifests =
        blank ? List.of() : Bodies.placed(body, configuration.readingTerms());
    try {
      return simulations.run(request(manifests), edits, horizon);
    } catch (RefusedException refused) {
      throw ApplyReader.located(refused, manifests);
    }
  }

  private ApplyReader.Asked request(List<PlacedManifest> manifests) {
    if (manifests.size() > DOCUMENTS_MAX) {
      throw new InvalidManifestException(
          List.of(
              new Violation(
                  DOCUMENTS_MAX + 1,
                  "",
                  "",
                  "must not be there: a simulation takes at most %d objects"
                      .formatted(DOCUMENTS_MAX))));
    }
    ApplyReader.Asked asked = reader.read(manifests, null);
    List<Violation> pipelines =
        asked.pipelines().stream()
            .map(
                pipeline ->
                    manifests
                        .get(pipeline.document() - 1)
                        .locate(
                            new Violation(
                                pipeline.document(),
                                "kind",
                                "Pipeline",
                                "must be a Job or a quota object: a simulation starts no runs")))
            .toList();
    if (!pipelines.isEmpty()) {
      throw new InvalidManifestException(pipelines);
    }
    return asked;
  }
}
