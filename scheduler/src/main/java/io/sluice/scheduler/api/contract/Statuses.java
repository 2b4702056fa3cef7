// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import io.sluice.scheduler.api.ProblemKind;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/** The statuses of refusals: one shared answer each, described by the kinds of problems. */
final class Statuses {
  private static final String PROBLEM = "application/problem+json";

  /** The answer to a method that a path does not have. */
  private static final int OF_NO_OPERATION = 405;

  private Statuses() {}

  /** The name of the shared answer with a status. */
  static String component(int status) {
    return "Problem" + status;
  }

  /** Adds the shared answers to a document. */
  static void addTo(Components components) {
    Stream.of(ProblemKind.values())
        .map(ProblemKind::status)
        .filter(status -> status != OF_NO_OPERATION)
        .distinct()
        .sorted()
        .forEach(status -> components.addResponse(component(status), answer(status)));
  }

  private static APIResponse answer(int status) {
    String kinds =
        Stream.of(ProblemKind.values())
            .filter(kind -> kind.status() == status)
            .map(kind -> "- `%s`: %s".formatted(kind.code(), kind.meaning()))
            .collect(Collectors.joining("\n"));
    APIResponse answer =
        OASFactory.createAPIResponse()
            .description("The request failed. Codes of the problem:\n\n" + kinds)
            .content(
                OASFactory.createContent()
                    .addMediaType(
                        PROBLEM,
                        OASFactory.createMediaType()
                            .schema(OASFactory.createSchema().ref("Problem"))));
    if (status == 429 || status == 503) {
      answer.addHeader(
          "Retry-After",
          OASFactory.createHeader()
              .description("Seconds to wait before the request is repeated")
              .schema(OASFactory.createSchema().addType(Schema.SchemaType.INTEGER)));
    }
    return answer;
  }

  /** The statuses of refusals that follow from what an endpoint reads and requires. */
  static Set<Integer> of(Endpoint endpoint, PathItem.HttpMethod verb, Iterable<Parameter> read) {
    Set<Integer> statuses = new TreeSet<>(Set.of(400, 403, 406, 414, 429, 500, 503));
    if (endpoint.role().isPresent()) {
      statuses.add(401);
    }
    for (Parameter parameter : read) {
      if (parameter.getIn() == Parameter.In.PATH) {
        statuses.add(404);
      }
    }
    if (verb != PathItem.HttpMethod.GET) {
      statuses.addAll(Set.of(409, 422));
      if (endpoint.conditional()) {
        statuses.add(412);
      }
    }
    if (endpoint.readsBody()) {
      statuses.addAll(Set.of(413, 415));
    }
    return statuses;
  }
}
