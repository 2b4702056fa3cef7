// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.scheduler.execution.StartBlocker;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells from an API server's answer whose matter a refusal is: the object's, which is invalid, or
 * the cluster's, which may be changed while the job waits.
 *
 * <p>An answer 400, 413 or 422 to a creation is the object's. It is not where an admission policy
 * of the cluster gave it, which answers 422 as well, nor where it answers an edit of Sluice's own
 * of an object that was valid before. 403 is the cluster's. It is the object's where the webhook of
 * the kind's own controller validates it: these answer 403 to a spec that is invalid.
 */
final class Refusals {
  /** Webhooks by which controllers validate objects of their own kinds. */
  private static final Set<String> OF_KINDS =
      Set.of(
          "vjobset.kb.io",
          "vraycluster.kb.io",
          "vrayjob.kb.io",
          "validator.trainjob.trainer.kubeflow.org",
          "validator.trainingruntime.trainer.kubeflow.org",
          "validator.clustertrainingruntime.trainer.kubeflow.org");

  private static final Pattern WEBHOOK = Pattern.compile("admission webhook \"([^\"]+)\" denied");
  private static final Pattern POLICY =
      Pattern.compile("AdmissionPolicy '[^']+' with binding '[^']+' denied request");
  private static final Pattern WEBHOOK_AWAY = Pattern.compile("failed calling webhook");

  private Refusals() {}

  /**
   * The exception that stands for an answer.
   *
   * @param creates whether a creation was asked for
   */
  static ClusterException of(String cluster, KubernetesClientException failure, boolean creates) {
    String said = message(failure);
    String line = "cluster " + cluster + ": " + said.lines().findFirst().orElse("");
    boolean exists = "AlreadyExists".equals(reason(failure));
    return switch (failure.getCode()) {
      case 400, 413, 422 -> invalid(said, line, failure, creates);
      case 401 -> new ClusterException(Reason.AWAY, StartBlocker.NOT_PERMITTED, line, failure);
      case 403 -> forbidden(said, line, failure, creates);
      case 405, 415 ->
          new ClusterException(Reason.REFUSED, StartBlocker.KIND_MISSING, line, failure);
      case 404, 410 -> new ClusterException(Reason.GONE, line, failure);
      case 409 ->
          exists
              ? new ClusterException(Reason.TAKEN, StartBlocker.NAME_TAKEN, line, failure)
              : new ClusterException(Reason.CONFLICT, line, failure);
      default -> new ClusterException(Reason.AWAY, away(said, failure), line, failure);
    };
  }

  /** Whether nothing has answered, or only something before the API server. */
  static boolean isNoAnswer(Throwable failure) {
    boolean unanswered = false;
    for (Throwable one = failure; one != null; one = one.getCause()) {
      // Without an answer the client gives 0 or -1.
      if (one instanceof KubernetesClientException answer && answer.getCode() > 0) {
        return answer.getCode() >= 502 && answer.getCode() <= 504;
      }
      unanswered |=
          one instanceof KubernetesClientException
              || one instanceof IOException
              || one instanceof TimeoutException;
    }
    return unanswered;
  }

  private static String message(KubernetesClientException failure) {
    Status status = failure.getStatus();
    return status == null || status.getMessage() == null
        ? String.valueOf(failure.getMessage())
        : status.getMessage();
  }

  private static @Nullable String reason(KubernetesClientException failure) {
    return failure.getStatus() == null ? null : failure.getStatus().getReason();
  }

  private static ClusterException invalid(
      String said, String line, Throwable failure, boolean creates) {
    if (POLICY.matcher(said).find() || isDeniedBySite(said)) {
      return new ClusterException(Reason.REFUSED, StartBlocker.ADMISSION_DENIED, line, failure);
    }
    return creates
        ? new ClusterException(Reason.INVALID, line, failure)
        : new ClusterException(Reason.REFUSED, StartBlocker.EDIT_REFUSED, line, failure);
  }

  private static ClusterException forbidden(
      String said, String line, KubernetesClientException failure, boolean creates) {
    Matcher webhook = WEBHOOK.matcher(said);
    if (webhook.find() && OF_KINDS.contains(webhook.group(1))) {
      return invalid(said, line, failure, creates);
    }
    StartBlocker blocker;
    if (isTerminating(said, failure)) {
      blocker = StartBlocker.NAMESPACE_TERMINATING;
    } else if (said.contains("exceeded quota: ")) {
      blocker = StartBlocker.NAMESPACE_QUOTA;
    } else if (said.contains(" cannot ") && said.contains("User \"")) {
      blocker = StartBlocker.NOT_PERMITTED;
    } else {
      blocker = StartBlocker.ADMISSION_DENIED;
    }
    return new ClusterException(Reason.REFUSED, blocker, line, failure);
  }

  /** Whether a webhook denies that is not the kind's own. */
  private static boolean isDeniedBySite(String said) {
    Matcher webhook = WEBHOOK.matcher(said);
    return webhook.find() && !OF_KINDS.contains(webhook.group(1));
  }

  private static boolean isTerminating(String said, KubernetesClientException failure) {
    boolean caused =
        failure.getStatus() != null
            && failure.getStatus().getDetails() != null
            && failure.getStatus().getDetails().getCauses().stream()
                .anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
    return caused || said.contains("because it is being terminated");
  }

  private static StartBlocker away(String said, KubernetesClientException failure) {
    return failure.getCode() >= 500 && WEBHOOK_AWAY.matcher(said).find()
        ? StartBlocker.WEBHOOK_UNAVAILABLE
        : StartBlocker.CLUSTER_UNREACHABLE;
  }
}
