// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.containers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.SecretKey;
import io.sluice.queuemodel.quota.policy.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds what a job asks of a cluster and its submitter's rules do not allow.
 *
 * <p>It reads the whole documents, not only the pod templates that it knows: controllers such as
 * those of Ray and Kubeflow make pods of further fields, and fields are added to their kinds. The
 * bounds are those of the {@code baseline} pod security standard, and beside it the priority
 * classes of the system and the choice of a node, which passes by admission.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Pod Security
 *     Standards</a>
 */
public final class PodRuleCheck {
  private static final int FOUND_MAX = 20;

  /** Maps of the user's own keys, none of which is a field. */
  private static final Set<String> NO_FIELDS =
      Set.of("annotations", "labels", "matchLabels", "nodeSelector", "data", "stringData");

  private static final Set<String> CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private static final Set<String> SYSCTLS =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.ip_unprivileged_port_start",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_local_reserved_ports",
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes");

  private static final Set<String> SELINUX_TYPES =
      Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

  private static final String APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

  private final PodRules rules;
  private final int number;
  private final List<Violation> found = new ArrayList<>();

  private PodRuleCheck(PodRules rules, int number) {
    this.rules = rules;
    this.number = number;
  }

  /**
   * Violations of a job that was submitted as a manifest of Kubernetes.
   *
   * @param number of the job among what was submitted, from 1
   */
  public static List<Violation> of(ForeignJob job, PodRules rules, int number) {
    if (rules.equals(PodRules.UNRESTRICTED)) {
      return List.of();
    }
    PodRuleCheck check = new PodRuleCheck(rules, number);
    List<ObjectNode> documents = new ArrayList<>(job.originals());
    documents.addAll(job.belongings());
    documents.forEach(document -> check.object(document, ""));
    return check.found;
  }

  /** Violations of a job that was submitted as a spec. */
  public static List<Violation> of(JobSpec job, PodRules rules, int number) {
    List<Violation> violations = new ArrayList<>();
    for (int at = 0; at < job.podSets().size(); at++) {
      String owner = job.podSets().size() == 1 ? "spec." : "spec.podSets[" + at + "].";
      for (Map.Entry<String, SecretKey> secret :
          job.podSets().get(at).template().secrets().entrySet()) {
        if (!rules.allowsSecret(secret.getValue().secret()) && violations.size() < FOUND_MAX) {
          violations.add(
              new Violation(
                  number,
                  owner + "env[" + secret.getKey() + "].valueFrom.secretKeyRef.name",
                  secret.getValue().secret(),
                  notAllowed("secret")));
        }
      }
    }
    return violations;
  }

  private static String notAllowed(String what) {
    return "is no " + what + " that the rules of the submitter allow";
  }

  private void refuse(String path, JsonNode value, String message) {
    if (found.size() < FOUND_MAX) {
      String shown = value.isValueNode() ? value.asText() : "";
      found.add(new Violation(number, path, shown, message));
    }
  }

  private void object(JsonNode object, String path) {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      String name = field.getKey();
      String at = path.isEmpty() ? name : path + "." + name;
      JsonNode value = field.getValue();
      if (name.equals("annotations")) {
        annotations(value, at);
      } else if (!NO_FIELDS.contains(name)) {
        reference(name, value, at);
        if (!rules.privileged()) {
          privilege(name, value, at);
        }
        inside(value, at);
      }
    }
  }

  private void inside(JsonNode value, String path) {
    if (value.isObject()) {
      object(value, path);
    }
    for (int at = 0; value.isArray() && at < value.size(); at++) {
      inside(value.get(at), path + "[" + at + "]");
    }
  }

  private void annotations(JsonNode annotations, String path) {
    for (Map.Entry<String, JsonNode> one : annotations.properties()) {
      if (!rules.privileged()
          && one.getKey().startsWith(APPARMOR)
          && one.getValue().asText().equals("unconfined")) {
        refuse(path + "[" + one.getKey() + "]", one.getValue(), beyond());
      }
    }
  }

  /** Accounts and secrets, in whichever field they are named. */
  private void reference(String name, JsonNode value, String path) {
    switch (name) {
      case "serviceAccountName", "serviceAccount" -> {
        if (!value.asText().isEmpty() && !rules.allowsAccount(value.asText())) {
          refuse(path, value, notAllowed("service account"));
        }
      }
      case "secretName" -> secret(value, path);
      case "secretKeyRef", "secretRef", "nodePublishSecretRef" -> secretNamed(value, path);
      case "secret" -> {
        if (value.has("name")) { // of a projected volume; that of a volume has secretName
          secretNamed(value, path);
        }
      }
      case "imagePullSecrets" -> {
        for (int at = 0; at < value.size(); at++) {
          secretNamed(value.get(at), path + "[" + at + "]");
        }
      }
      default -> {
        // No reference.
      }
    }
  }

  private void secretNamed(JsonNode reference, String path) {
    secret(reference.path("name"), path + ".name");
  }

  private void secret(JsonNode name, String path) {
    if (!rules.allowsSecret(name.asText())) {
      refuse(path, name, notAllowed("secret"));
    }
  }

  private void privilege(String name, JsonNode value, String path) {
    boolean refused =
        switch (name) {
          case "hostNetwork", "hostPID", "hostIPC", "privileged", "hostProcess" ->
              !value.isNull() && !isFalse(value);
          case "hostPath" -> !value.isNull();
          case "nodeName" -> !value.isNull() && !value.asText().isEmpty();
          case "hostPort" -> !value.isNull() && !value.asText().equals("0");
          case "procMount" -> !value.isNull() && !value.asText().equals("Default");
          case "seccompProfile", "appArmorProfile" ->
              value.path("type").asText().equals("Unconfined");
          case "seLinuxOptions" ->
              !SELINUX_TYPES.contains(value.path("type").asText())
                  || !value.path("user").asText().isEmpty()
                  || !value.path("role").asText().isEmpty();
          case "priorityClassName" -> value.asText().startsWith("system-");
          case "httpGet", "tcpSocket" -> !value.path("host").asText().isEmpty();
          default -> false;
        };
    if (refused) {
      refuse(path, value, beyond());
    }
    if (name.equals("capabilities")) {
      each(value.path("add"), path + ".add", "", CAPABILITIES);
    } else if (name.equals("sysctls")) {
      each(value, path, "/name", SYSCTLS);
    }
  }

  private static boolean isFalse(JsonNode value) {
    return value.isBoolean() ? !value.booleanValue() : value.asText().equals("false");
  }

  private void each(JsonNode list, String path, String pointer, Set<String> allowed) {
    for (int at = 0; at < list.size(); at++) {
      JsonNode value = list.get(at).at(pointer);
      if (!allowed.contains(value.asText())) {
        refuse(path + "[" + at + "]", value, beyond());
      }
    }
  }

  private static String beyond() {
    return "is a privilege that the rules of the submitter do not allow";
  }
}
