// SPDX-License-Identifier: Apache-2.0
/** Jobs of Sluice as manifests. */
@NullMarked
package io.sluice.manifests.job;

import org.jspecify.annotations.NullMarked;
