// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.edit.ObjectPath;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.Inputs;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.PreviewPage;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.pipeline.PipelineDeletion;
import io.sluice.restmodel.preview.ApplyAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes unused quota objects, and pipelines; runs of a pipeline stay. */
@Command(
    name = "delete",
    description = "Deletes unused quota objects, and pipelines. Runs of a deleted pipeline stay.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class DeleteCommand implements Callable<Integer> {
  /** Objects that use others come first, because an object in use cannot be deleted. */
  private static final List<Kinds> ORDER =
      List.of(
          Kinds.PIPELINES,
          Kinds.ROLE_BINDINGS,
          Kinds.TEAMS,
          Kinds.BOOKINGS,
          Kinds.OUTAGES,
          Kinds.LOCAL_QUEUES,
          Kinds.CLUSTER_QUEUES,
          Kinds.COHORTS,
          Kinds.COMPUTE_CLASSES,
          Kinds.PRIORITY_CLASSES,
          Kinds.FLAVORS,
          Kinds.TOPOLOGIES);

  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the LocalQueues or pipelines. Default: all in which you may act.")
  @Nullable String namespace;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Delete the objects of this manifest file or folder, those that use others first; - reads"
              + " standard input. Repeatable.")
  @Nullable List<String> files;

  @Option(
      names = "--ignore-not-found",
      description = "Count an object that does not exist as deleted.")
  boolean ignoreNotFound;

  @Option(
      names = "--dry-run",
      description =
          "Check everything and delete nothing. Shows which jobs would gain, wait or be "
              + "evicted, and which queues would be over quota.")
  boolean dryRun;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "KIND",
      description = "Kind of object, such as clusterqueue or cq, or KIND/NAME.")
  @Nullable String kind;

  @Parameters(
      index = "1..*",
      paramLabel = "NAME",
      arity = "0..*",
      description = "Names of the objects, unless KIND/NAME is given.")
  List<String> names = List.of();

  @Override
  public Integer call() {
    if ((kind == null) == (files == null)) {
      throw new WrongUsageException("delete needs either a KIND with a NAME, or -f FILE");
    }
    return kind == null ? deleteFiles() : deleteNamed(kind);
  }

  private int deleteNamed(String written) {
    List<String> all = new ArrayList<>();
    int slash = written.indexOf('/');
    Kinds kinds = Kinds.parse(slash < 0 ? written : written.substring(0, slash));
    if (slash >= 0) {
      all.add(written.substring(slash + 1));
    }
    all.addAll(names);
    if (all.isEmpty()) {
      throw new WrongUsageException("delete needs the name of a " + kinds.singular());
    }
    if (!ObjectPath.isStored(kinds)) {
      throw new WrongUsageException(kinds.plural() + " cannot be deleted");
    }
    ServerClient client = server.client();
    for (String name : all) {
      try {
        delete(client, ObjectPath.find(client, kinds, name, namespace));
      } catch (RefusedException refused) {
        if (!ignoreNotFound || !refused.absent()) {
          throw refused;
        }
      }
    }
    return ExitCode.OK;
  }

  /** Deletes what it can; reports each refusal. */
  private int deleteFiles() {
    List<ObjectPath> objects =
        new ArrayList<>(ObjectPath.ofManifests(Inputs.read(files == null ? List.of() : files)));
    objects.sort(Comparator.comparingInt(object -> ORDER.indexOf(object.kinds())));
    ServerClient client = server.client();
    int code = ExitCode.OK;
    for (ObjectPath object : objects) {
      try {
        delete(client, object);
      } catch (RefusedException refused) {
        if (!ignoreNotFound || !refused.absent()) {
          System.err.println("sluice: " + object.shown() + ": " + refused.getMessage());
          code = ExitCode.REFUSED;
        }
      }
    }
    return code;
  }

  private void delete(ServerClient client, ObjectPath object) {
    if (dryRun) {
      PreviewPage page = new PreviewPage(Terminal.standard());
      String path = object.path() + "?dryRun=true";
      if (object.kinds() == Kinds.PIPELINES) {
        page.print(client.delete(path, PipelineDeletion.class));
      } else {
        page.print(client.delete(path, ApplyAnswer.class));
      }
    } else {
      client.delete(object.path());
      System.out.println(object.shown() + " deleted");
    }
  }
}
