// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics of queues, decisions and the server, and its health checks. It reads the committed view
 * and counts committed batches; it decides nothing and stores nothing.
 */
@NullMarked
package io.sluice.scheduler.telemetry;

import org.jspecify.annotations.NullMarked;
