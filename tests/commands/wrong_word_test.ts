import assert from "node:assert/strict";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";

inHome.test("a word that is no command is answered with what to type", async (home) => {
  const cases: [string[], RegExp][] = [
    [["verify", "aaaa"], /Unknown command "verify"\. Type: reprise doctor REF\n/],
    [["prune"], /Type: reprise delete --older-than 30d\n/],
    [["skill"], /Type: reprise setup --print-skill\n/],
    [["serach", "a b", "-n", "3"], /Did you mean: reprise search 'a b' -n 3\n/],
    [["fnid"], /Type: reprise search WORDS\n/],
    [["handoff"], /Type: reprise handover REF --to AGENT\n/],
    [["prompts"], /Type: reprise search --role user\n/],
    [["history"], /Type: reprise list\n/],
    [["errors"], /Type: reprise list --failed\n/],
    [["last"], /Type: reprise show\n/],
    [["3f2a"], /To read that session: reprise show 3f2a\n/],
    [["codex:01a1"], /To read that session: reprise show codex:01a1\n/],
    [["zebra", "crossing"], /To search for it: reprise search zebra crossing\n/],
    [["fix the login"], /To search for it: reprise search 'fix the login'\n/],
    [["--json", "list"], /^reprise: Cannot use --json before the command: .* list --json\n$/],
    [["-n", "5", "list", "--all"], /Type: reprise list -n 5 --all\n$/],
    [["help", "lsit"], /Did you mean: reprise list\n/],
    [["help", "trash", "emtpy"], /"trash emtpy"\. Did you mean empty\?\n/],
    [["config", "set", "session.retention", "1"], /Did you mean session\.retention_days\?\n$/],
    [["config", "get", "agents.cladue.roots"], /Did you mean agents\.claude\.roots\?\n$/],
  ];
  const results = await home.runAll(cases.map(([args]) => args));
  for (const [index, [args, message]] of cases.entries()) {
    const { status, stdout, stderr = "" } = results[index] ?? {};
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message, args.join(" "));
  }
});

inHome.test("undo and restore list what there is, and ask which", async (home) => {
  home.keep(sessionId("aaaa"), [user("The first\none")]);
  await home.succeed(["delete", "aaaa"]);
  const [undo, restore, trash, handover] = await home.runAll([
    ["undo"],
    ["restore"],
    ["trash", "restore"],
    ["handover", "--undo"],
  ]);
  const deleted = /^ {2}reprise trash restore aaaa0000 +restore The first one$/m;
  for (const one of [undo, restore, trash]) {
    assert.deepEqual([one?.status, one?.stdout], [2, ""]);
    assert.match(one?.stderr ?? "", deleted);
  }
  assert.match(undo?.stderr ?? "", /^reprise: Say what to undo:\n/);
  assert.match(undo?.stderr ?? "", /^ {2}reprise archive --undo REF /m);
  assert.match(restore?.stderr ?? "", /^ {2}reprise backup restore REF /m);
  assert.deepEqual([handover?.status, handover?.stderr], [2, "reprise: Nothing to undo\n"]);
});

inHome.test("a tag that no session has is answered with the nearest one", async (home) => {
  home.keep(sessionId("aaaa"), [user("one")]);
  await home.succeed(["tag", "aaaa", "release"]);
  const [listed, other, removed] = await home.runAll([
    ["list", "--tag", "relaese"],
    ["list", "--tag", "bug"],
    ["tag", "aaaa", "relaese", "--remove"],
  ]);
  assert.match(listed?.stderr ?? "", /\nDid you mean: --tag release\n$/);
  assert.doesNotMatch(other?.stderr ?? "", /Did you mean/);
  assert.equal(removed?.status, 2);
  assert.match(removed?.stderr ?? "", /aaaa0000 does not have this tag\. Did you mean release\?/);
});
