// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/**
 * The first entries of a list, with the number of all.
 *
 * @param <T> what the list holds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Listed<T>(
    @JsonPropertyDescription("Number of all entries") int count,
    @JsonPropertyDescription("The first entries, up to a fixed number") List<T> first) {
  public Listed {
    first = List.copyOf(first);
  }
}
