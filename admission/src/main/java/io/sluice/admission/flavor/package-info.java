// SPDX-License-Identifier: Apache-2.0
/** Flavor assignment: which flavors a workload would get, and in which mode. It changes nothing. */
@NullMarked
package io.sluice.admission.flavor;

import org.jspecify.annotations.NullMarked;
