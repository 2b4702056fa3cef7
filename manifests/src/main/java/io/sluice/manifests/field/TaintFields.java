// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.fleet.Taint.Effect;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.fleet.Toleration.Operator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads taints and tolerations, by the rules of Kubernetes and Kueue. */
public final class TaintFields {
  private static final List<Effect> EFFECTS = List.of(Effect.values());
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  private TaintFields() {}

  /** Taints, of which no two have the same key and effect. */
  public static List<Taint> taints(ObjectCursor owner, String field, int countMax) {
    Set<String> seen = new HashSet<>();
    return owner.objects(field, countMax, "a taint", cursor -> taint(cursor, seen));
  }

  private static @Nullable Taint taint(ObjectCursor cursor, Set<String> seen) {
    String key = cursor.requiredText("key", Names::requireQualified);
    String value = cursor.text("value", Names::requireLabelValue);
    cursor.require("effect");
    Effect effect = cursor.word("effect", EFFECTS, Effect::word);
    cursor.refuseUnsupported("timeAdded");
    cursor.end();
    if (effect == null) {
      return null;
    }
    if (!seen.add(key + ":" + effect)) {
      cursor.refuse(
          "key",
          "is there twice with the effect " + effect.word() + ": taints must differ in both");
    }
    return new Taint(key, value == null ? "" : value, effect);
  }

  public static List<Toleration> tolerations(ObjectCursor owner, String field, int countMax) {
    return owner.objects(field, countMax, "a toleration", TaintFields::toleration);
  }

  /** The tolerations of a pod of Kubernetes; for how long they hold is Kubernetes' to see to. */
  public static List<Toleration> ofPod(ObjectCursor podSpec) {
    return podSpec.objects(
        "tolerations", Schema.TOLERATIONS_MAX, "a toleration", TaintFields::fields);
  }

  private static Toleration toleration(ObjectCursor cursor) {
    Toleration read = fields(cursor);
    cursor.refuseUnsupported("tolerationSeconds");
    cursor.end();
    return read;
  }

  private static Toleration fields(ObjectCursor cursor) {
    String key =
        cursor.text("key", written -> written.isEmpty() ? "" : Names.requireQualified(written));
    Operator operator = cursor.word("operator", OPERATORS, Operator::word, Operator.EQUAL);
    String value = cursor.text("value", Names::requireLabelValue);
    Effect effect = cursor.word("effect", EFFECTS, Effect::word);
    if ((key == null || key.isEmpty()) && operator != Operator.EXISTS) {
      cursor.refuse("key", "is required unless the operator is Exists");
    }
    if (operator == Operator.EXISTS && value != null && !value.isEmpty()) {
      cursor.refuse("value", "must not be there with the operator Exists");
    }
    return new Toleration(key == null ? "" : key, operator, value == null ? "" : value, effect);
  }
}
