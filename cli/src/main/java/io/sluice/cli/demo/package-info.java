// SPDX-License-Identifier: Apache-2.0
/** The demonstration: a story told by a real server. It decides nothing itself. */
@NullMarked
package io.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
