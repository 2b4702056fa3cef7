// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.fleet.SliceAllocation;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.journal.AllocationReader;
import io.sluice.scheduler.store.journal.AllocationReader.Allocation;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Allocations of slices over REST. */
@Tag(name = "Fleet")
@Path("/v1/fleet/allocations")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class AllocationsResource {
  private final CommittedView view;
  private final CurrentCaller caller;
  private final AllocationReader allocations;

  AllocationsResource(CommittedView view, CurrentCaller caller, AgroalDataSource database) {
    this.view = view;
    this.caller = caller;
    this.allocations = new AllocationReader(database);
  }

  /** Allocations of slices, the newest first. */
  @Operation(
      operationId = "listAllocations",
      summary = "Lists which attempt held which slice, newest first")
  @GET
  public Page<SliceAllocation> allocations(
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("overlapping") @DefaultValue("false") boolean overlapping,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<Allocation> found =
        allocations.read(
            Parameters.times(since, until), overlapping, Pages.readAllocation(cursor), limit + 1);
    Shapes shapes = shapes(found);
    NamespaceScope readable = caller.readable();
    return Pages.of(
        found,
        limit,
        one -> allocation(one, shapes, readable.contains(one.owner().namespace())),
        last -> Pages.writeAllocation(new AllocationReader.Place(last.sequence(), last.slice())));
  }

  /**
   * The properties of allocated slices.
   *
   * @param present slices that the present fleet has or can form, by name
   * @param chips of each slice of the attempts that held other slices
   */
  private record Shapes(Map<String, Slice> present, Map<AttemptKey, Long> chips) {}

  private Shapes shapes(List<Allocation> found) {
    Map<String, Slice> present =
        view.<Map<String, Slice>>ask(
                state -> {
                  Map<String, Slice> known = new HashMap<>();
                  for (Allocation one : found) {
                    Slice slice = state.slices().find(one.slice());
                    if (slice != null) {
                      known.put(one.slice(), slice);
                    }
                  }
                  return known;
                })
            .value();
    Set<AttemptKey> others = new HashSet<>();
    for (Allocation one : found) {
      if (!present.containsKey(one.slice())) {
        others.add(one.attempt());
      }
    }
    return new Shapes(present, allocations.chipsPerSlice(others));
  }

  /**
   * An allocation.
   *
   * @param readable whether the caller may know its job
   */
  private static SliceAllocation allocation(Allocation one, Shapes shapes, boolean readable) {
    Slice slice = shapes.present().get(one.slice());
    AttemptKey attempt = one.attempt();
    AllocationReader.Owner owner = one.owner();
    return new SliceAllocation(
        one.slice(),
        slice == null ? null : slice.acceleratorType(),
        slice == null ? null : slice.topology().toString(),
        slice == null ? shapes.chips().get(attempt) : Long.valueOf(slice.topology().chips()),
        readable ? attempt.job().toString() : null,
        readable ? attempt.index() : null,
        readable ? attempt.attempt() : null,
        readable ? owner.name() : null,
        readable ? owner.namespace() : null,
        readable ? owner.queue() : null,
        readable ? Texts.unlessEmpty(owner.submittedBy()) : null,
        readable ? owner.team() : null,
        readable ? owner.priorityClass() : null,
        one.clusterQueue(),
        one.from(),
        one.to(),
        one.outcome());
  }
}
