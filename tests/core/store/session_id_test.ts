import assert from "node:assert/strict";
import { folderName, parseFolderName, sessionIdIn } from "../../../lib/core/store/session_id.ts";

const ID = "0f8e6a52-7c1d-4b39-9e40-d5a2c7b81f63";

Deno.test("a folder's name is time and id, both ways", () => {
  const created = new Date("2026-11-21T20:21:50.004Z");
  const name = folderName(created, ID);
  assert.equal(name, `20261121T202150004Z-${ID}`);
  assert.deepEqual(parseFolderName(name), { created_at: created.toISOString(), session_id: ID });
  assert.equal(sessionIdIn(name), ID);
});

Deno.test("a name of another form is no session's folder", () => {
  const time = "20261121T202150004Z";
  const names = [
    "",
    ID,
    time,
    `${time}-${ID}.tmp`,
    `${time}-${ID.toUpperCase()}`,
    `${time}-${"x".repeat(65)}`,
    `${time}-a..bc`,
    `x${time}-${ID}`,
    `${time}-${ID}\n`,
  ];
  for (
    const name of [...names, `${time}-abc`, "lock", `2026-11-21T20:21:50.004Z-${ID}`]
  ) {
    assert.equal(parseFolderName(name), undefined, name);
    assert.equal(sessionIdIn(name), undefined, name);
  }
});

Deno.test("an id that no folder could be found by is refused", () => {
  for (const id of ["", "../x", "a/bcd", `${ID} `, "abc", "com1", `${ID}.tmp`]) {
    assert.throws(
      () => folderName(new Date(0), id),
      /^SessionError: Cannot name session: the id ".*" (?:is|has) /,
    );
  }
});
