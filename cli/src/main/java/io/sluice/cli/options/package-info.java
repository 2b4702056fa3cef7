// SPDX-License-Identifier: Apache-2.0
/** Options and arguments that several commands share: the server, names, kinds, files. */
@NullMarked
package io.sluice.cli.options;

import org.jspecify.annotations.NullMarked;
