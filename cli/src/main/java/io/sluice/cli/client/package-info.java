// SPDX-License-Identifier: Apache-2.0
/** The HTTP client of the server. It prints nothing. */
@NullMarked
package io.sluice.cli.client;

import org.jspecify.annotations.NullMarked;
