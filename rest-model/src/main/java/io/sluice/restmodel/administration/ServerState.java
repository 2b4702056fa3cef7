// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The version of a server, its role, and the sequence of its view. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ServerState(
    @JsonPropertyDescription("Version of the server") String version,
    @JsonPropertyDescription("Id of its process") long pid,
    @JsonPropertyDescription(
            "leader or follower; a leader whose lease is about to expire is a follower")
        String role,
    @JsonPropertyDescription("Epoch of the leader; absent if there has been no leader")
        @Nullable Long epoch,
    @JsonPropertyDescription("URL of the leader; absent if it is not known")
        @Nullable String leader,
    @JsonPropertyDescription("Sequence of the last batch that this server has") long sequence,
    @JsonPropertyDescription(
            "Number of inputs that this leader leaves unconsumed; absent if there are none")
        @Nullable Integer inputsSetAside,
    @JsonPropertyDescription("The oldest ten of these inputs; absent if there are none")
        @Nullable List<InputSetAside> oldestSetAside) {
  public ServerState {
    oldestSetAside = oldestSetAside == null ? null : List.copyOf(oldestSetAside);
  }

  /** An input that a leader leaves unconsumed. */
  public record InputSetAside(
      @JsonPropertyDescription("Number of the input's row") long input,
      @JsonPropertyDescription("Kind of the input as stored; empty if unknown") String kind,
      @JsonPropertyDescription("Why the leader cannot consume it, for people") String reason) {}
}
