// SPDX-License-Identifier: Apache-2.0
/** The commands about who the user is: sign in and out, whoami, and sessions of browsers. */
@NullMarked
package io.sluice.cli.login;

import org.jspecify.annotations.NullMarked;
