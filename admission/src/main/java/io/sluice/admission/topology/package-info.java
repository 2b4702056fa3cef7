// SPDX-License-Identifier: Apache-2.0
/** Which slices serve a request. It does not know quota. */
@NullMarked
package io.sluice.admission.topology;

import org.jspecify.annotations.NullMarked;
