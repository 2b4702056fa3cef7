// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.contract;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.jspecify.annotations.Nullable;

/**
 * Real answers, by operation and status. A test records them from a server, and checks that the
 * answers of the present server still fit.
 */
final class Examples {
  private static final String FILE = "examples.json";

  private final Map<String, Map<String, Object>> answers;

  Examples() {
    try (InputStream in = Examples.class.getResourceAsStream(FILE)) {
      answers = new ObjectMapper().readValue(in, new TypeReference<>() {});
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Adds the examples of an operation to its answers. */
  void addTo(String operation, Map<String, APIResponse> responses) {
    answers
        .getOrDefault(operation, Map.of())
        .forEach((status, answer) -> add(answer, operation, responses.get(status)));
  }

  private static void add(Object answer, String operation, @Nullable APIResponse response) {
    Content content = response == null ? null : response.getContent();
    if (content == null) {
      throw new IllegalStateException(
          "%s has an example of %s that has no body".formatted(FILE, operation));
    }
    MediaType first = content.getMediaTypes().values().iterator().next();
    first.setExample(answer);
  }

  /** Refuses examples of operations that do not exist. */
  void requireKnown(Set<String> operations) {
    Set<String> unknown = new TreeSet<>(answers.keySet());
    unknown.removeAll(operations);
    if (!unknown.isEmpty()) {
      throw new IllegalStateException("%s has unknown operations: %s".formatted(FILE, unknown));
    }
  }
}
