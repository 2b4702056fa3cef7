// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.quota.policy.PodRules;
import java.util.List;

/** The field {@code pods} of teams and role bindings: what pods of jobs may use of a cluster. */
final class PodRuleFields {
  private static final String FIELD = "pods";
  private static final String STANDARD = "securityStandard";
  private static final String ACCOUNTS = "serviceAccounts";
  private static final String SECRETS = "secrets";
  private static final String BASELINE = "baseline";
  private static final String PRIVILEGED = "privileged";
  private static final int NAMES_MAX = 1_000;

  private PodRuleFields() {}

  static PodRules read(ObjectCursor spec) {
    ObjectCursor pods = spec.object(FIELD, "rules for pods");
    if (pods == null) {
      return PodRules.BASELINE;
    }
    String standard = pods.word(STANDARD, List.of(BASELINE, PRIVILEGED), word -> word, BASELINE);
    List<String> accounts = names(pods, ACCOUNTS);
    List<String> secrets = names(pods, SECRETS);
    pods.end();
    return new PodRules(standard.equals(PRIVILEGED), accounts, secrets);
  }

  private static List<String> names(ObjectCursor pods, String field) {
    return TeamReader.unique(
        pods,
        field,
        NAMES_MAX,
        name -> name.equals(PodRules.ANY) ? name : Names.requireSubdomain(name));
  }

  static void put(ObjectNode spec, PodRules rules) {
    if (rules.equals(PodRules.BASELINE)) {
      return;
    }
    ObjectNode pods = spec.putObject(FIELD);
    pods.put(STANDARD, rules.privileged() ? PRIVILEGED : BASELINE);
    TeamWriter.putList(pods, ACCOUNTS, List.copyOf(rules.serviceAccounts()));
    TeamWriter.putList(pods, SECRETS, List.copyOf(rules.secrets()));
  }
}
