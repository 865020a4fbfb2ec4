import assert from "node:assert/strict";
import { type Library, openLibrary } from "../../../lib/library/mod.ts";
import { listed } from "../../_support/listed.ts";
import { user } from "../../_support/log_bytes.ts";
import { mirror } from "../../_support/mirrored.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const [MINE, HERS] = [sessionId("aaaa1111"), sessionId("bbbb2222")];

function libraryOf(root: string): Library {
  return openLibrary({ root, cwd: root, variable: () => undefined });
}

/** The mirror of somebody who works on two machines, and whose colleagues share sessions. */
function fill(root: string): void {
  mirror(root, { session: MINE }, [user("mine, from the laptop")]);
  mirror(root, { session: HERS, owner: "ann" }, [user("hers")]);
  mirror(root, { session: `claude:${HERS}`, owner: "ann" }, [user("hers, by claude")]);
  mirror(root, { session: `claude:${MINE}`, owner: "o'brien/x y" }, [user("odd")]);
}

inDirectory.test("every form of a reference opens what was pulled from a store, and is its name", async (root) => {
  fill(root);
  const library = libraryOf(root);
  const cases: [string, string, string][] = [
    ["team:aaaa1111", `team:${MINE}`, "mine, from the laptop"],
    ["team:AAAA1111", `team:${MINE}`, "mine, from the laptop"],
    ["team:reprise:b", `team:ann/${HERS}`, "hers"],
    ["team:ann/claude:b", `team:ann/claude:${HERS}`, "hers, by claude"],
    ["team:claude:bbbb2222", `team:ann/claude:${HERS}`, "hers, by claude"],
    ["team:o'brien/x y/claude:aaaa", `team:o'brien/x y/claude:${MINE}`, "odd"],
    ["team:claude:aaaa", `team:o'brien/x y/claude:${MINE}`, "odd"],
  ];
  for (const [ref, name, text] of cases) {
    const session = await library.open(`${ref}#2`);
    assert.deepEqual([session.ref, session.seq, session.writable], [name, 2, false], ref);
    const { ref: row_ref, title } = await session.summary();
    assert.deepEqual([row_ref, title], [name, text]);
    const [message] = (await session.conversation()).messages;
    assert.equal(message?.content, text);
  }
});

inDirectory.test("a reference that fits several lists them, and its own comes before those of others", async (root) => {
  fill(root);
  const library = libraryOf(root);
  await assert.rejects(library.open("team:ann/bbbb"), (error: Error) => {
    assert.match(error.message, /matches 2 sessions: team:ann\//);
    assert.match(error.message, new RegExp(`team:ann/claude:${HERS}`));
    assert.deepEqual((error as unknown as { code: string }).code, "ambiguous");
    return true;
  });
  mirror(root, { session: MINE, owner: "bob" }, [user("adopted")]);
  assert.equal((await library.open("team:aaaa")).ref, `team:${MINE}`);
  assert.equal((await library.open("team:bob/aaaa")).ref, `team:bob/${MINE}`);
});

inDirectory.test("a session that was not pulled is not found, and the message says how to get it", async (root) => {
  fill(root);
  const library = libraryOf(root);
  for (
    const ref of ["team:cccc", "team:ann/aaaa", "team:bob/bbbb", "team:pi:aaaa"]
  ) {
    await assert.rejects(library.open(ref), {
      code: "not-found",
      message: `Cannot find session "${ref}" among the pulled sessions. ` +
        "To pull sessions: reprise sync pull. To list them: reprise list --all",
    });
  }
  await assert.rejects(libraryOf(`${root}/none`).open("team:aaaa"), { code: "not-found" });
});

inDirectory.test("the mirror is in no list, and changes nothing about other references", async (root) => {
  fill(root);
  const library = libraryOf(root);
  assert.deepEqual(await listed(library), []);
  assert.deepEqual(await library.sessions(), []);
  await assert.rejects(library.open("aaaa1111"), { code: "not-found" });
});
