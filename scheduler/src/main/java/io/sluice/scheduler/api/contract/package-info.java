// SPDX-License-Identifier: Apache-2.0
/**
 * The OpenAPI document of the REST interface. SmallRye reads the endpoints and their bodies from
 * the code when the server is built, and the filter here adds what their annotations and the kinds
 * of problems say. Nothing here runs in a server.
 */
@NullMarked
package io.sluice.scheduler.api.contract;

import org.jspecify.annotations.NullMarked;
