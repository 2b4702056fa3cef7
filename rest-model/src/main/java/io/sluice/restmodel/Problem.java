// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A problem document (RFC 9457): the answer to a request that failed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
    @JsonPropertyDescription(
            "The page about this kind of problem: a path of the server that answered")
        String type,
    @JsonPropertyDescription("The kind of the problem, for programs; the last part of type")
        String code,
    @JsonPropertyDescription("The kind of the problem, for people") String title,
    @JsonPropertyDescription("The HTTP status of the answer") int status,
    @JsonPropertyDescription("One sentence about this request; with violations, the first of them")
        String detail,
    @JsonPropertyDescription("The fields at fault; absent if the problem is not about fields")
        @Nullable List<Violation> violations) {
  public Problem {
    violations = violations == null ? null : List.copyOf(violations);
  }

  /** A field at fault. */
  public record Violation(
      @JsonPropertyDescription("The number of the document in the body, from 1") int document,
      @JsonPropertyDescription("The field; empty for the document as a whole") String path,
      @JsonPropertyDescription("The value of the field, shortened; empty if there is none")
          String value,
      @JsonPropertyDescription("What a correct value would be") String message) {}
}
