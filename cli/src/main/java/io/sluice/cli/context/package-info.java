// SPDX-License-Identifier: Apache-2.0
/** The user's file of servers: contexts with an address, a token and a namespace each. */
@NullMarked
package io.sluice.cli.context;

import org.jspecify.annotations.NullMarked;
