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
 * Classifies refusals of API servers: the object is invalid, or the cluster refuses it and may
 * change while the job waits.
 *
 * <p>An answer 400, 413 or 422 to a creation means an invalid object. The exceptions, for which the
 * cluster is the cause: an admission policy answers 422 as well, and so do edits by Sluice of an
 * object that was valid before. 403 means that the cluster refuses, except from the webhook of the
 * kind's own controller, which answers 403 to an invalid spec.
 */
final class Refusals {
  /** Webhooks with which controllers validate objects of their own kinds. */
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
   * Returns the exception for an answer.
   *
   * @param creates whether the request was a creation
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

  /** Whether nothing answered, or only a proxy before the API server. */
  static boolean isNoAnswer(Throwable failure) {
    boolean unanswered = false;
    for (Throwable one = failure; one != null; one = one.getCause()) {
      // The client reports 0 or -1 without an answer.
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

  /** Whether a webhook other than the kind's own denies the request. */
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
