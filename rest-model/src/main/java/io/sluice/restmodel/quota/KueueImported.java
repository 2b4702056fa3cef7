// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.quota;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.preview.EditPreview;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of an import of the quota objects of a cluster's Kueue, or of its dry run. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KueueImported(
    @JsonPropertyDescription("Whether nothing was stored") boolean dryRun,
    @JsonPropertyDescription("The result for each object") List<QuotaResult> results,
    @JsonPropertyDescription(
            "The effects on queues and jobs; absent unless this is a dry run that finds nothing"
                + " to refuse")
        @Nullable EditPreview preview,
    @JsonPropertyDescription("Name of the cluster") String cluster,
    @JsonPropertyDescription("Version of Kueue's schema in which its objects were read")
        String version,
    @JsonPropertyDescription("Deployments of Kueue's controller that run at least one pod")
        List<KueueController> controllers,
    @JsonPropertyDescription("Kueue's webhooks that the API server calls before it writes")
        List<String> webhooks,
    @JsonPropertyDescription("Kinds of Kueue that the cluster does not have") List<String> missing,
    @JsonPropertyDescription("Objects that are not imported") List<ObjectLeft> left,
    @JsonPropertyDescription("The workloads of Kueue that have not ended")
        KueueWorkloads workloads) {
  public KueueImported {
    results = List.copyOf(results);
    controllers = List.copyOf(controllers);
    webhooks = List.copyOf(webhooks);
    missing = List.copyOf(missing);
    left = List.copyOf(left);
  }

  /** The result of the import for one quota object. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record QuotaResult(
      @JsonPropertyDescription("Kind of the object") String kind,
      @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
          @Nullable String namespace,
      @JsonPropertyDescription("Name of the object") String name,
      @JsonPropertyDescription(
              "created, configured, unchanged or deleted; in the dry run of an import that cannot"
                  + " be written: in order or refused")
          String result,
      @JsonPropertyDescription("Why the object is refused; absent otherwise")
          @Nullable String reason) {}

  /** A Deployment of Kueue's controller. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record KueueController(
      @JsonPropertyDescription("Deployment") String kind,
      @JsonPropertyDescription("Namespace of the Deployment") @Nullable String namespace,
      @JsonPropertyDescription("Name of the Deployment") String name,
      @JsonPropertyDescription("Number of its replicas") int replicas) {}

  /** An object that is not imported. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ObjectLeft(
      @JsonPropertyDescription("Kind of the object") String kind,
      @JsonPropertyDescription("Namespace of the object; absent if its kind has none")
          @Nullable String namespace,
      @JsonPropertyDescription("Name of the object") String name,
      @JsonPropertyDescription("Why it is not imported") String reason) {}

  /** The workloads of Kueue that have not ended. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record KueueWorkloads(
      @JsonPropertyDescription("Number of workloads that wait, and whose owners are adopted")
          long waiting,
      @JsonPropertyDescription(
              "Number of workloads that are adopted and held, as they are inactive in Kueue")
          long held,
      @JsonPropertyDescription("Number of workloads that run, and end under Kueue") long running,
      @JsonPropertyDescription("Number of workloads that are not imported") long left,
      @JsonPropertyDescription("The first 100 workloads that run or are not imported")
          List<KueueWorkload> first,
      @JsonPropertyDescription("Quota that running workloads hold under Kueue")
          List<KueueUsage> usage,
      @JsonPropertyDescription(
              "Number of objects that have a place in the queue now and no job yet; absent if"
                  + " the import is refused")
          @Nullable Integer placed,
      @JsonPropertyDescription(
              "Number of waiting workloads that are jobs already; absent if the import is"
                  + " refused")
          @Nullable Integer here) {
    public KueueWorkloads {
      first = List.copyOf(first);
      usage = List.copyOf(usage);
    }
  }

  /** A workload of Kueue that runs or is not imported. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record KueueWorkload(
      @JsonPropertyDescription("Workload") String kind,
      @JsonPropertyDescription("Namespace of the workload") @Nullable String namespace,
      @JsonPropertyDescription("Name of the workload") String name,
      @JsonPropertyDescription("The object that it stands for, such as Job/train; empty if none")
          String owner,
      @JsonPropertyDescription("Why it is not imported") String reason) {}

  /** Quota that running workloads hold under Kueue. */
  public record KueueUsage(
      @JsonPropertyDescription("The ClusterQueue") String clusterQueue,
      @JsonPropertyDescription("The flavor") String flavor,
      @JsonPropertyDescription("The resource") String resource,
      @JsonPropertyDescription("The quota in use, a quantity") String amount) {}
}
