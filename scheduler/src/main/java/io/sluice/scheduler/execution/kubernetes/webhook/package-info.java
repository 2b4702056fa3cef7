// SPDX-License-Identifier: Apache-2.0
/**
 * Answers admission reviews of API servers with the same rules as the policies of adoption. It
 * depends only on the review: it reads no cluster and no database, and decides nothing about quota.
 */
@NullMarked
package io.sluice.scheduler.execution.kubernetes.webhook;

import org.jspecify.annotations.NullMarked;
