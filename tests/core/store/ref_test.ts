import assert from "node:assert/strict";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { parseRef, parseSessionId, type Ref } from "../../../lib/core/store/ref.ts";

const AGENTS = ["pi", "claude"];

Deno.test("a reference is a path, an agent's id or an id, and may name an event", () => {
  const cases: [string, Ref][] = [
    ["3f2a", { kind: "id", prefix: "3f2a" }],
    ["3f2a91c0-0d4c#12", { kind: "id", prefix: "3f2a91c0-0d4c", seq: 12 }],
    ["pi:0", { kind: "agent", agent: "pi", prefix: "0" }],
    ["claude:ab_c.d#3", { kind: "agent", agent: "claude", prefix: "ab_c.d", seq: 3 }],
    ["./x", { kind: "path", path: "./x" }],
    [".", { kind: "path", path: "." }],
    ["..", { kind: "path", path: ".." }],
    ["C:\\x", { kind: "path", path: "C:\\x" }],
    ["log.jsonl#7", { kind: "path", path: "log.jsonl", seq: 7 }],
    ["/a b/*:?", { kind: "path", path: "/a b/*:?" }],
    ...["a.json", "a.db", "a.sqlite", "a.md", "a.age", "a.jsonl.age"].map((
      path,
    ): [string, Ref] => [path, { kind: "path", path }]),
  ];
  for (const [text, ref] of cases) assert.deepEqual(parseRef(text, AGENTS), ref, text);
});

Deno.test("a reference may name a record, where an event has no number yet", () => {
  const id = { kind: "id", prefix: "3f2a" } as const;
  const team = { kind: "team", prefix: "3f2a" } as const;
  const cases: [string, Ref][] = [
    ["3f2a@727aec4d-00d0", { ...id, record: "727aec4d-00d0" }],
    ["3f2a~b2c3@msg_1", { ...id, thread: "b2c3", record: "msg_1" }],
    ["pi:01a1@250027895", { kind: "agent", agent: "pi", prefix: "01a1", record: "250027895" }],
    ["./a@b/log.jsonl@e1", { kind: "path", path: "./a@b/log.jsonl", record: "e1" }],
    ["log.jsonl~t@e1", { kind: "path", path: "log.jsonl", thread: "t", record: "e1" }],
    ["./a@b", { kind: "path", path: "./a@b" }],
    ["a@b.jsonl", { kind: "path", path: "a@b.jsonl" }],
    ["./log@2.jsonl#3", { kind: "path", path: "./log@2.jsonl", seq: 3 }],
    ["team:3f2a@12345678", { ...team, record: "12345678" }],
    ["team:3f2a~t@12345678", { ...team, thread: "t", record: "12345678" }],
    ["team:ann@example.org/3f2a", { ...team, owner: "ann@example.org" }],
    ["team:ann@example.org/3f2a@e1", { ...team, owner: "ann@example.org", record: "e1" }],
  ];
  for (const [text, ref] of cases) assert.deepEqual(parseRef(text, AGENTS), ref, text);
});

Deno.test("other texts than references are refused as invalid-ref, with the valid forms", () => {
  const cases: [string, RegExp][] = [
    ["", /the reference is empty; give an id, the first characters of an id, or a path/],
    ["#3", /reference is empty/],
    ["abc", /give at least 4 characters of the id; a path must contain a \//],
    ["3f2a#x", /only an event number can follow #/],
    ["pi:3f2a#", /only an event number can follow #/],
    ["fen:abcd", /"fen" is not an agent; known agents: pi, claude/],
    ["pi:", /an id can contain letters, digits/],
    ["ab cd", /an id can contain letters, digits/],
    ["*", /an id can contain letters/],
    ["..\u0000", /an id can contain letters/],
    ["-rf-abcd", /an id can contain letters/],
    ["ⅽafe", /an id can contain letters/],
  ];
  for (const [text, reason] of cases) {
    assert.throws(() => parseRef(text, AGENTS), (error) => {
      assert.ok(error instanceof SessionError);
      assert.deepEqual([error.code, error.data.ref], ["invalid-ref", text]);
      assert.match(error.message, reason);
      return true;
    });
  }
  assert.throws(() => parseRef("pi:abcd"), /known agents: none/);
});

Deno.test("a session in a team's store is named with its member and its agent", () => {
  const cases: [string, Ref][] = [
    ["team:3f2a", { kind: "team", prefix: "3f2a" }],
    ["team:3f2a#12", { kind: "team", prefix: "3f2a", seq: 12 }],
    ["team:ann/3f2a", { kind: "team", owner: "ann", prefix: "3f2a" }],
    ["team:ann/pi:0", { kind: "team", owner: "ann", agent: "pi", prefix: "0" }],
    ["team:claude:ab~t1#4", {
      ...{ kind: "team", agent: "claude", prefix: "ab", thread: "t1", seq: 4 },
    }],
    ["team:a@b/c d/3f2a", { kind: "team", owner: "a@b/c d", prefix: "3f2a" }],
    ["./team:3f2a", { kind: "path", path: "./team:3f2a" }],
  ];
  for (const [text, ref] of cases) assert.deepEqual(parseRef(text, AGENTS), ref, text);
  const wrong: [string, RegExp][] = [
    ["team:", /give the session as team:ID or team:OWNER\/ID/],
    ["team:ann/", /give the session as team:ID or team:OWNER\/ID/],
    ["team:/3f2a", /give the session as team:ID or team:OWNER\/ID/],
    ["team:3f2a@-x", /an id can contain letters/],
    ["team:abc", /give at least 4 characters/],
    ["team:fen:abcd", /"fen" is not an agent/],
    ["team:ann/../3f2", /give at least 4/],
    ["team:..", /an id can contain letters/],
  ];
  for (const [text, reason] of wrong) {
    assert.throws(() => parseRef(text, AGENTS), { code: "invalid-ref", message: reason }, text);
  }
});

Deno.test("another program names sessions by id alone: paths and options are refused", () => {
  assert.deepEqual(parseSessionId("claude:ab12#3", AGENTS), {
    ...{ kind: "agent", agent: "claude", prefix: "ab12", seq: 3 },
  });
  const paths = ["/etc/passwd", "a/b", "..", "log.jsonl", "C:\\x", "store.db#4"];
  for (const ref of [...paths, "-rf-abcd", "", "abc"]) {
    assert.throws(() => parseSessionId(ref, AGENTS), SessionError, ref);
  }
});
