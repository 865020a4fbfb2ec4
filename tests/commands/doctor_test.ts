import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { UNIX } from "../_support/needing.ts";

// A transcript puts no modes and no links.
testsAtHome(UNIX).test(
  "doctor names what is wrong, --fix mends what can be mended, and no log is touched",
  async (home) => {
    const one = home.keep(sessionId("aaaa"), [user("hi")]);
    const two = home.keep(sessionId("bbbb"), [user("hi")]);
    const before = Deno.readFileSync(one.path);
    Deno.chmodSync(one.path, 0o644);
    Deno.chmodSync(one.directory, 0o755);
    const files = {
      [join(one.directory, "lock.json")]: "{}",
      [join(home.store, "config.json.x.tmp")]: "{}",
      [join(home.store, "config.json")]: "nonsense",
      // Keys are no problem in the folder of a session.
      [join(two.directory, "notes")]: "AGE-SECRET-KEY-1QQQQQQ\n",
    };
    for (const [path, text] of Object.entries(files)) {
      Deno.writeTextFileSync(path, text, { mode: 0o600 });
    }
    Deno.symlinkSync("/etc", join(two.directory, "etc"));
    const found = await home.run(["doctor", "--json"]);
    assert.equal(found.status, 1);
    const problems = jsonLines(found.stdout);
    assert.deepEqual(problems.map(({ code, state }) => `${code} ${state}`).sort(), [
      "config look",
      ...["leftover fixable", "leftover fixable"],
      "link look",
      ...["mode fixable", "mode fixable"],
    ]);
    for (const problem of problems) {
      assert.deepEqual(Object.keys(problem), ["code", "path", "detail", "state"]);
    }
    assert.match(found.stderr, /^6 problems left\. Fix what is fixable: reprise doctor --fix: /);

    const fixed = await home.run(["doctor", "--fix"]);
    assert.equal(fixed.status, 1);
    assert.equal(fixed.stdout.match(/^fixed: /gm)?.length, 4);
    assert.equal(fixed.stdout.match(/^look: /gm)?.length, 2);
    assert.match(fixed.stderr, /^2 problems left, 4 fixed: /);
    assert.equal((Deno.statSync(one.path).mode ?? 0) & 0o777, 0o600);
    assert.deepEqual(Deno.readFileSync(one.path), before);

    const again = await home.run(["doctor"]);
    assert.equal(again.stdout.trimEnd().split("\n").length, 2);
    assert.match(again.stderr, /^2 problems left/);
  },
);
