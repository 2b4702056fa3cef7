// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests;

import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.FleetFault;
import io.sluice.queuemodel.fleet.FleetFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads {@code kind: Faults}: the faults to inject into a virtual fleet. */
public final class FaultsReader {
  private static final String KIND = "Faults";
  private static final int FAULTS_MAX = 10_000;
  private static final int SEED_MAX = Integer.MAX_VALUE;
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final Duration SHORTEST_MEAN = Duration.ofSeconds(1);
  private static final Duration USUAL_TIME_TO_RETURN = Duration.ofMinutes(1);

  private FaultsReader() {}

  /**
   * The faults of a text that holds nothing else.
   *
   * @throws InvalidManifestException if it is not right
   */
  public static FleetFaults read(String text) {
    List<Document> documents = TextDocuments.split(text);
    if (documents.size() != 1) {
      throw new InvalidManifestException(
          List.of(new Violation(1, "", "", "must hold one Faults, and holds " + documents.size())));
    }
    Document document = documents.get(0);
    Violations violations = document.violations();
    FleetFaults faults = new FleetFaults(List.of(), null);
    if (violations.isEmpty()) {
      ObjectCursor top = ObjectCursor.open(document.root(), Path.ROOT, "Faults", violations);
      faults = top == null ? faults : read(top);
    }
    if (!violations.isEmpty()) {
      throw new InvalidManifestException(violations.found());
    }
    return faults;
  }

  private static FleetFaults read(ObjectCursor top) {
    if (!Schema.OURS.equals(top.requiredText("apiVersion", written -> written))) {
      top.refuse("apiVersion", "must be " + Schema.OURS);
    }
    if (!KIND.equals(top.requiredText("kind", written -> written))) {
      top.refuse("kind", "must be " + KIND + " here");
    }
    top.ignore("metadata");
    ObjectCursor spec = top.objectOrEmpty("spec", "the spec of Faults");
    List<FleetFault> script = spec.objects("faults", FAULTS_MAX, "a fault", FaultsReader::fault);
    ObjectCursor chance = spec.object("random", "faults by chance");
    FleetFaults.RandomFaults random = chance == null ? null : random(chance);
    spec.end();
    top.end();
    return new FleetFaults(script, random);
  }

  private static @Nullable FleetFault fault(ObjectCursor cursor) {
    int before = cursor.violations().count();
    cursor.require("after");
    Duration after = cursor.duration("after", Duration.ZERO, LONGEST);
    List<FleetFault> said = new ArrayList<>();
    for (FleetFault.Kind kind : FleetFault.Kind.values()) {
      String subject = cursor.text(kind.word());
      if (subject != null) {
        if (ofStock(kind)) {
          cursor.word(kind.word(), List.of(CapacityType.values()), CapacityType::word);
        }
        Duration at = after == null ? Duration.ZERO : after;
        said.add(new FleetFault(at, kind, subject, Duration.ZERO));
      }
    }
    Duration notice = cursor.duration("notice", Duration.ZERO, LONGEST);
    cursor.end();
    if (said.size() != 1) {
      cursor.refuse(
          "after", "must have one thing beside it that happens then, and has " + said.size());
      return null;
    }
    FleetFault fault = said.get(0);
    if (notice != null && fault.kind() != FleetFault.Kind.RECLAIM) {
      cursor.refuse("notice", "must not be there unless a slice is reclaimed");
    }
    boolean right = cursor.violations().count() == before;
    return right
        ? new FleetFault(
            fault.after(), fault.kind(), fault.subject(), notice == null ? Duration.ZERO : notice)
        : null;
  }

  private static boolean ofStock(FleetFault.Kind kind) {
    return kind == FleetFault.Kind.OUT_OF_STOCK || kind == FleetFault.Kind.IN_STOCK;
  }

  private static FleetFaults.RandomFaults random(ObjectCursor cursor) {
    cursor.require("seed");
    int seed = cursor.whole("seed", 0, SEED_MAX, 0);
    Duration reclaims = cursor.duration("meanTimeBetweenReclaims", SHORTEST_MEAN, LONGEST);
    Duration notice = cursor.duration("notice", Duration.ZERO, LONGEST);
    Duration failures = cursor.duration("meanTimeBetweenHostFailures", SHORTEST_MEAN, LONGEST);
    Duration back = cursor.duration("timeToReturn", Duration.ZERO, LONGEST);
    cursor.end();
    return new FleetFaults.RandomFaults(
        seed,
        reclaims,
        Objects.requireNonNullElse(notice, Duration.ZERO),
        failures,
        Objects.requireNonNullElse(back, USUAL_TIME_TO_RETURN));
  }
}
