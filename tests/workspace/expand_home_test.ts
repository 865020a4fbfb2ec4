import assert from "node:assert/strict";
import { expandHome } from "../../lib/workspace/expand_home.ts";

Deno.test("`~` is the home", () => {
  assert.equal(expandHome("~/x", "/home/me"), "/home/me/x");
  assert.equal(expandHome("~", "/home/me"), "/home/me");
  assert.equal(expandHome("/a/~/x", "/home/me"), "/a/~/x");
});
