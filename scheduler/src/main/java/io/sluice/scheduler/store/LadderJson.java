// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of quota objects: their manifests; for a ComputeClass also the hardware that its
 * rungs and default selectors match. The server to which it was applied resolved that with the
 * accelerators that it knew. A server that knows others must not decide otherwise.
 */
final class LadderJson {
  private static final String RUNGS = "rungs";
  private static final String SELECTORS = "defaultSelectors";

  private LadderJson() {}

  /**
   * The hardware that a rung matches.
   *
   * @param slices null: any, or none
   */
  private record Meaning(
      SortedMap<String, List<String>> selector,
      @JsonInclude(JsonInclude.Include.NON_NULL) Rung.@Nullable Slices slices) {}

  static JsonNode write(QuotaObject object, ObjectMapper mapper) {
    ObjectNode json = ManifestWriter.toJson(object);
    if (object instanceof ComputeClass ladder) {
      json.set(
          RUNGS,
          mapper.valueToTree(
              ladder.rungs().stream()
                  .map(rung -> new Meaning(rung.selector(), rung.slices()))
                  .toList()));
      if (!ladder.defaults().selectors().isEmpty()) {
        json.set(SELECTORS, mapper.valueToTree(ladder.defaults().selectors()));
      }
    }
    return json;
  }

  /** Resolves a ladder that was stored before its hardware was, with the built-in types. */
  static QuotaObject read(ObjectKind kind, JsonNode json, ObjectMapper mapper) {
    boolean isLadder = kind == ObjectKind.COMPUTE_CLASS;
    JsonNode rungs = isLadder ? ((ObjectNode) json).remove(RUNGS) : null;
    JsonNode selectors = isLadder ? ((ObjectNode) json).remove(SELECTORS) : null;
    QuotaObject object = ManifestReader.readQuotaObject(kind, json, ReadingTerms.STORED);
    if (!(object instanceof ComputeClass ladder)) {
      return object;
    }
    ComputeClass meant =
        rungs == null ? ladder : ladder.with(withMeanings(ladder.rungs(), rungs, mapper));
    return selectors == null
        ? meant
        : meant.with(
            meant
                .defaults()
                .choosing(
                    mapper.convertValue(
                        selectors, new TypeReference<List<List<Requirement>>>() {})));
  }

  private static List<Rung> withMeanings(List<Rung> rungs, JsonNode stored, ObjectMapper mapper) {
    List<Meaning> meanings = mapper.convertValue(stored, new TypeReference<List<Meaning>>() {});
    List<Rung> meant = new ArrayList<>();
    for (int at = 0; at < rungs.size(); at++) {
      Meaning meaning = meanings.get(at);
      meant.add(rungs.get(at).meaning(meaning.selector(), meaning.slices()));
    }
    return meant;
  }
}
