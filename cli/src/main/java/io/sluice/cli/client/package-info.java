// SPDX-License-Identifier: Apache-2.0
/** Speaks to a server over HTTP. It prints nothing. */
@NullMarked
package io.sluice.cli.client;

import org.jspecify.annotations.NullMarked;
