// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.ReadingTerms;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.Rung;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Quota objects as they are stored: as manifests; of a ComputeClass besides what its rungs mean.
 * That was found with the accelerators that the server knew to which it was applied. Another one
 * may know others, and must not decide otherwise.
 */
final class LadderJson {
  private static final String RUNGS = "rungs";

  private LadderJson() {}

  /**
   * The hardware that a rung means.
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
    }
    return json;
  }

  /** A ladder that was stored before meanings were is read as the built-in types have it. */
  static QuotaObject read(ObjectKind kind, JsonNode json, ObjectMapper mapper) {
    JsonNode stored = kind == ObjectKind.COMPUTE_CLASS ? ((ObjectNode) json).remove(RUNGS) : null;
    QuotaObject object = ManifestReader.readQuotaObject(kind, json, ReadingTerms.STORED);
    if (stored == null || !(object instanceof ComputeClass ladder)) {
      return object;
    }
    List<Meaning> meanings = mapper.convertValue(stored, new TypeReference<List<Meaning>>() {});
    List<Rung> rungs = new ArrayList<>();
    for (int at = 0; at < ladder.rungs().size(); at++) {
      Meaning meaning = meanings.get(at);
      rungs.add(ladder.rungs().get(at).meaning(meaning.selector(), meaning.slices()));
    }
    return ladder.with(rungs);
  }
}
