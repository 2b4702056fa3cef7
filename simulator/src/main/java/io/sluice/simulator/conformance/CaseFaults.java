// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** The unusable objects of a case, with reasons; the others are decided without them. */
final class CaseFaults {
  private final SortedMap<String, String> byObject = new TreeMap<>();

  void add(String object, String reason) {
    byObject.put(object, reason);
  }

  boolean has(String object) {
    return byObject.containsKey(object);
  }

  /** What is wrong with an object. */
  String of(String object) {
    return byObject.getOrDefault(object, "nothing is known to be wrong with it");
  }

  /** What is read; empty, with a fault, if it is not right. */
  <T> Optional<T> read(String object, Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (InvalidValueException | UnanswerableCaseException problem) {
      add(object, String.valueOf(problem.getMessage()));
      return Optional.empty();
    }
  }

  /** Those of a list of objects that are right. */
  <T> List<T> readAll(String kind, JsonNode list, Function<JsonNode, T> reading) {
    List<T> read = new ArrayList<>();
    for (JsonNode object : list) {
      String name = CaseFields.text(object.path("metadata"), "name", "");
      read(kind + " " + name, () -> reading.apply(object)).ifPresent(read::add);
    }
    return read;
  }

  void write(ObjectNode answer) {
    if (!byObject.isEmpty()) {
      ArrayNode errors = answer.putArray("errors");
      byObject.forEach(
          (object, reason) -> errors.addObject().put("object", object).put("error", reason));
    }
  }
}
