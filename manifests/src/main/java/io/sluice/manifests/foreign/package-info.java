// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs of Kubernetes and its operators, read as jobs of Sluice. It writes nothing into a cluster.
 */
@NullMarked
package io.sluice.manifests.foreign;

import org.jspecify.annotations.NullMarked;
