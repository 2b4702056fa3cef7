// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.computeclasses.WorkerIdentity;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.job.EnvironmentFields;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Renders the object of an attempt of Sluice's own jobs: a Job for a single pod, else a JobSet with
 * a replicated Job per slice or pod set. Each slice has one of its own, bound to the slice's node
 * pool, so that which worker is where is what was decided. It is suspended, and nothing in it
 * retries: that is decided here.
 */
public final class JobRenderer {
  /** What stays of a host name for the end of a pod's, by which pods find each other. */
  private static final int JOB_SET_NAME_LENGTH_MAX = 38;

  private static final int REPLICATED_JOB_NAME_LENGTH_MAX = 16;
  private static final Pattern READ_BY_KUBERNETES = Pattern.compile("\\$(?=[$(])");
  private static final String CONTAINER = "main";

  private final JobSpec job;
  private final AdmittedAttempt attempt;
  private final AcceleratorCatalogue catalogue;
  private final List<Part> parts;

  private JobRenderer(JobSpec job, AdmittedAttempt attempt, AcceleratorCatalogue catalogue) {
    this.job = job;
    this.attempt = attempt;
    this.catalogue = catalogue;
    this.parts = parts();
  }

  /**
   * Pods that are alike in all but their numbers.
   *
   * @param sliceId of which slice they are the hosts; -1: of none
   */
  private record Part(String name, int pods, PodSetSpec podSet, int sliceId) {}

  /**
   * The object to create.
   *
   * @param catalogue that has the types of the assigned slices
   * @throws InvalidValueException if pods have no image, which a cluster needs, or select other
   *     nodes than they were admitted to, or the catalogue does not have the type of a slice
   */
  public static ObjectNode render(
      JobSpec job, AdmittedAttempt attempt, AcceleratorCatalogue catalogue) {
    return new JobRenderer(job, attempt, catalogue).render();
  }

  private List<Part> parts() {
    List<Part> found = new ArrayList<>();
    for (PodSetSpec podSet : job.podSets()) {
      AdmittedPodSet admitted = attempt.podSet(podSet.name());
      String name = ObjectNames.fit(podSet.name(), REPLICATED_JOB_NAME_LENGTH_MAX);
      if (admitted.slices().isEmpty()) {
        found.add(new Part(name, admitted.count(), podSet, -1));
      }
      for (int sliceId = 0; sliceId < admitted.slices().size(); sliceId++) {
        int hosts = admitted.slices().get(sliceId).hosts().size();
        found.add(new Part("slice-" + sliceId, hosts, podSet, sliceId));
      }
    }
    return found;
  }

  private boolean isSingle() {
    return parts.size() == 1 && parts.get(0).pods() == 1;
  }

  private String name() {
    int lengthMax = isSingle() ? ObjectNames.NAME_LENGTH_MAX : JOB_SET_NAME_LENGTH_MAX;
    return ObjectNames.own(job.meta().name(), attempt.key(), lengthMax);
  }

  private ObjectNode render() {
    Labels labels = job.meta().labels().with(AttemptLabels.of(attempt));
    ObjectMeta meta =
        new ObjectMeta(job.meta().namespace(), name(), labels, job.meta().annotations());
    ForeignKind kind = isSingle() ? ForeignKind.JOB : ForeignKind.JOB_SET;
    ObjectNode top = FieldWriter.manifest(kind.apiVersion(), kind.word(), meta);
    ObjectNode spec = top.putObject("spec").put("suspend", true);
    if (isSingle()) {
      putJob(spec, parts.get(0));
      return top;
    }
    spec.putObject("failurePolicy").put("maxRestarts", 0);
    spec.putObject("network").put("enableDNSHostnames", true).put("publishNotReadyAddresses", true);
    ArrayNode jobs = spec.putArray("replicatedJobs");
    for (Part part : parts) {
      ObjectNode one = jobs.addObject().put("name", part.name()).put("replicas", 1);
      putJob(one.putObject("template").putObject("spec"), part);
    }
    return top;
  }

  private void putJob(ObjectNode spec, Part part) {
    spec.put("parallelism", part.pods()).put("completions", part.pods());
    spec.put("completionMode", "Indexed").put("backoffLimit", 0);
    ObjectNode template = spec.putObject("template");
    PodTemplateEdits.label(template, AttemptLabels.of(attempt));
    putPod(template.putObject("spec"), part);
    AdmittedPodSet admitted = attempt.podSet(part.podSet().name());
    List<Slice> own =
        part.sliceId() < 0 ? List.of() : List.of(admitted.slices().get(part.sliceId()));
    new PodTemplateEdits(template)
        .place(
            new AdmittedPodSet(
                admitted.name(),
                part.pods(),
                nodeLabels(admitted, own),
                admitted.tolerations(),
                own,
                admitted.annotations(),
                admitted.domains()));
  }

  /** What GKE's scheduler wants pods that take chips to select, beside what was admitted. */
  private Labels nodeLabels(AdmittedPodSet admitted, List<Slice> own) {
    if (own.isEmpty()) {
      return admitted.nodeLabels();
    }
    Slice slice = own.get(0);
    TreeMap<String, String> selected = new TreeMap<>();
    selected.put(NodeLabels.TPU_TYPE, catalogue.type(slice.acceleratorType()).gkeLabel());
    selected.put(NodeLabels.TPU_TOPOLOGY, slice.topology().toString());
    return admitted.nodeLabels().with(Labels.of(selected));
  }

  private void putPod(ObjectNode pod, Part part) {
    PodTemplate template = part.podSet().template();
    if (template.image() == null) {
      throw new InvalidValueException(
          "pod set " + part.podSet().name() + " has no image, without which no cluster can run it");
    }
    pod.put("restartPolicy", "Never");
    // Whole seconds, at least as long as was asked for.
    pod.put(
        "terminationGracePeriodSeconds", job.limits().gracePeriod().plusMillis(999).toSeconds());
    ObjectNode container = pod.putArray("containers").addObject();
    container.put("name", CONTAINER).put("image", template.image());
    FieldWriter.putTexts(
        container, "command", template.command().stream().map(JobRenderer::verbatim).toList());
    putEnvironment(container.putArray("env"), part);
    ObjectNode resources = container.putObject("resources");
    FieldWriter.putResources(resources, "requests", template.requests());
    FieldWriter.putResources(resources, "limits", devices(template.requests()));
    FieldWriter.putLabels(pod, "nodeSelector", template.nodeSelector());
    FieldWriter.putTolerations(pod, "tolerations", template.tolerations());
    FieldWriter.putAffinity(pod, template.affinity());
  }

  /** Of devices, which have a domain in their names, Kubernetes wants limits as well. */
  private static ResourceList devices(ResourceList requests) {
    TreeMap<ResourceName, Long> devices = new TreeMap<>(requests.amounts());
    devices.keySet().removeIf(resource -> resource.value().indexOf('/') < 0);
    return new ResourceList(devices);
  }

  /** Our variables over the job's, and those that only the cluster knows before both. */
  private void putEnvironment(ArrayNode list, Part part) {
    putKnown(list, "SLUICE_POD", "metadata.name");
    putKnown(list, "SLUICE_HOST", "spec.nodeName");
    TreeMap<String, String> environment =
        new TreeMap<>(part.podSet().template().environment().entries());
    environment.remove("SLUICE_POD");
    environment.remove("SLUICE_HOST");
    if (part.sliceId() < 0) {
      environment.putAll(WorkerIdentity.attemptEnvironment(attempt.key(), attempt.generation()));
    } else {
      environment.putAll(identity(part).environment(catalogue));
      environment.remove("TPU_WORKER_ID");
      putKnown(
          list,
          "TPU_WORKER_ID",
          "metadata.annotations['batch.kubernetes.io/job-completion-index']");
    }
    WorkerIdentity.numbered(environment, attempt.key(), job.array());
    part.podSet()
        .template()
        .secrets()
        .forEach(
            (name, key) -> {
              if (!environment.containsKey(name)) {
                EnvironmentFields.put(list, name, key);
              }
            });
    environment.forEach(
        (name, value) -> list.addObject().put("name", name).put("value", verbatim(value)));
  }

  /** Who the workers of a slice are: its hosts are found by the names of the pods on them. */
  private WorkerIdentity identity(Part part) {
    List<Slice> slices = new ArrayList<>();
    for (Part other : parts) {
      if (other.sliceId() >= 0) {
        slices.add(withPodNames(other));
      }
    }
    return new WorkerIdentity(attempt.key(), attempt.generation(), slices, part.sliceId(), 0);
  }

  private Slice withPodNames(Part part) {
    Slice slice = attempt.podSet(part.podSet().name()).slices().get(part.sliceId());
    List<String> hosts = new ArrayList<>();
    for (int worker = 0; worker < part.pods(); worker++) {
      hosts.add(
          isSingle() ? "localhost" : name() + "-" + part.name() + "-0-" + worker + "." + name());
    }
    return slice.withHosts(hosts);
  }

  private static void putKnown(ArrayNode list, String name, String fieldPath) {
    list.addObject()
        .put("name", name)
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", fieldPath);
  }

  /**
   * Kubernetes puts variables in where it finds {@code $(NAME)}, and takes {@code $$} for one sign;
   * here a text means itself.
   */
  private static String verbatim(String text) {
    return READ_BY_KUBERNETES.matcher(text).replaceAll("\\$\\$");
  }
}
