// SPDX-License-Identifier: Apache-2.0
/**
 * Access to a cluster's API server: bounded requests, renewed watches and the classification of
 * refusals. It knows no attempt.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
