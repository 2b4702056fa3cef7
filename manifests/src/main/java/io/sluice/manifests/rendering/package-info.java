// SPDX-License-Identifier: Apache-2.0
/**
 * Renders the objects of an attempt from the submitted job and its admission. It talks to no
 * cluster, and changes nothing that admission did not decide.
 */
@NullMarked
package io.sluice.manifests.rendering;

import org.jspecify.annotations.NullMarked;
