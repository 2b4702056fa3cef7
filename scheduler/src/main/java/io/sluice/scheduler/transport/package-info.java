// SPDX-License-Identifier: Apache-2.0
/**
 * The transport of the REST API: TLS and its certificate files, request rates of callers, and
 * headers of all answers. It does not authenticate callers and knows no endpoint.
 */
@NullMarked
package io.sluice.scheduler.transport;

import org.jspecify.annotations.NullMarked;
