// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the quota objects of a kind. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QuotaObjectPage(
    @JsonPropertyDescription("The objects of this page, by namespace and name")
        List<QuotaObjectView> items,
    @JsonPropertyDescription(
            "Where the next page starts, for the parameter cursor; absent on the last page")
        @Nullable String nextCursor,
    @JsonPropertyDescription(
            "On the first page of ClusterQueues: where nominal quota exceeds the fleet, at most"
                + " 20; absent if it does not")
        @Nullable List<String> warnings) {
  public QuotaObjectPage {
    items = List.copyOf(items);
    warnings = warnings == null ? null : List.copyOf(warnings);
  }
}
