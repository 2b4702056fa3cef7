// SPDX-License-Identifier: Apache-2.0
// The slices of the fleet map: all of them once, and then what has changed.

import { useRef } from "preact/hooks";
import { readFleet } from "../../shared/fleet-map.js";
import { useLive } from "../../shared/live.js";
import { signedInAs } from "../../shared/session.js";

/** Returns the slices, live. */
export function useSlices() {
  // What one user may see is no base for the changes that another one is told of.
  const known = useRef(/** @type {{who: string, fleet?: import("../../shared/fleet-map.js").Fleet}} */ ({ who: "" }));
  return useLive(
    async (signal) => {
      const who = signedInAs.value;
      const before = known.current.who === who ? known.current.fleet : undefined;
      const fleet = await readFleet(before, signal);
      known.current = { who, fleet };
      return fleet;
    },
    [],
    {
      when: ({ object }) => ["Slice", "Attempt", "Fleet"].includes(object.kind),
      pause: 1000,
      every: 60_000,
    },
  );
}
