// SPDX-License-Identifier: Apache-2.0
/** A real Kubernetes control plane for tests. It knows nothing of the server. */
@NullMarked
package io.sluice.scheduler.kube;

import org.jspecify.annotations.NullMarked;
