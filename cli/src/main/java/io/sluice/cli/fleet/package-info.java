// SPDX-License-Identifier: Apache-2.0
/** Commands on slices, hosts and the capacity of types. */
@NullMarked
package io.sluice.cli.fleet;

import org.jspecify.annotations.NullMarked;
