// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the manifests that a cluster is given for an attempt, of what was submitted and what was
 * admitted. It talks to no cluster, and changes nothing that admission did not decide.
 */
@NullMarked
package io.sluice.manifests.rendering;

import org.jspecify.annotations.NullMarked;
