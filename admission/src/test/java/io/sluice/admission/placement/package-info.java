// SPDX-License-Identifier: Apache-2.0
/** Tests of how pods are placed. It does not test whom they may evict. */
@NullMarked
package io.sluice.admission.placement;

import org.jspecify.annotations.NullMarked;
