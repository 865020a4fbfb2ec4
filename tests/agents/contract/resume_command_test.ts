import assert from "node:assert/strict";
import {
  checkedResumeCommand,
  PLAIN_ID,
  UUID,
} from "../../../lib/agents/contract/resume_command.ts";

const UUIDS = ["3f2a91c0-1111-4222-8333-444455556666", "3F2A91C0-1111-4222-8333-44445555666F"];
const PLAIN = [...UUIDS, "ses_01abCD", "20251108_1", "react-migration", "2026-05-21.1336"];
const HOSTILE = [
  ...["", "-", "--help", "-p", "latest\n", "a b", "a/b", "../x", "$(id)", "`id`", "a;b", "\x1b[2J"],
  ...["x".repeat(201), "é", "a\0b"],
];

Deno.test("an id of an agent's form passes, and every other is refused", () => {
  for (const [form, taken] of [[UUID, UUIDS], [PLAIN_ID, PLAIN]] as const) {
    const check = (id: string): unknown =>
      checkedResumeCommand("Agent", { id, path: "/x" }, {
        argv: ["agent", id],
        id_form: form,
        in_directory: false,
      }).argv;
    for (const id of taken) assert.deepEqual(check(id), ["agent", id]);
    for (const id of HOSTILE) {
      assert.throws(() => check(id), {
        code: "unsupported-source",
        message: /not a valid session id/,
      }, id);
    }
  }
  for (const id of ["latest", "1", "019a"]) assert.ok(!UUID.test(id));
});

Deno.test("a path with control characters is no argument", () => {
  const check = (path: string): unknown =>
    checkedResumeCommand("pi", { id: "1", path }, {
      argv: ["pi", "--session", path],
      in_directory: false,
    });
  assert.ok(check("/with spaces/学校.jsonl"));
  for (const path of ["/a\nb", "/\x1b[2J", "/a\0"]) {
    assert.throws(() => check(path), { code: "unsupported-source", message: /control characters/ });
  }
});
