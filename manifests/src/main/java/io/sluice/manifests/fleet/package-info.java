// SPDX-License-Identifier: Apache-2.0
/** The fleet and the catalogue of accelerators as manifests. */
@NullMarked
package io.sluice.manifests.fleet;

import org.jspecify.annotations.NullMarked;
