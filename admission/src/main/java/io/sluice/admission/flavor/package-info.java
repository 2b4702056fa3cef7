// SPDX-License-Identifier: Apache-2.0
/** Which flavors a workload would be given, and in which mode. It changes nothing. */
@NullMarked
package io.sluice.admission.flavor;

import org.jspecify.annotations.NullMarked;
