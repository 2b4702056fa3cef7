// SPDX-License-Identifier: Apache-2.0
import test from "node:test";
import assert from "node:assert/strict";
import { cell, csv } from "../../main/resources/io/sluice/console/pages/usage/csv.js";

test("a text that looks like a formula is no formula", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"]) {
    assert.ok(cell(text).replace(/^"/, "").startsWith("'"), text);
  }
  assert.equal(cell("=HYPERLINK(\"x\",\"y\")"), '"\'=HYPERLINK(""x"",""y"")"');
});

test("numbers stay numbers", () => {
  assert.equal(cell(-1.5), "-1.5");
  assert.equal(cell(0), "0");
});

test("separators, quotes and line ends are quoted", () => {
  assert.equal(cell("a,b"), '"a,b"');
  assert.equal(cell('say "a"'), '"say ""a"""');
  assert.equal(cell("a\nb"), '"a\nb"');
  assert.equal(cell("plain text"), "plain text");
  assert.equal(cell(""), "");
});

test("rows end with CR and LF", () => {
  assert.equal(csv([["a", "b"], ["c", 1]]), "a,b\r\nc,1\r\n");
});
