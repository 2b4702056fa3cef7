// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param <T> what the list holds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(
    @JsonPropertyDescription("The entries of this page") List<T> items,
    @JsonPropertyDescription(
            "Where the next page starts, for the parameter cursor; absent on the last page")
        @Nullable String nextCursor) {
  public Page {
    items = List.copyOf(items);
  }
}
