import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { rowOf } from "../../../lib/frontends/acp/open_sessions.ts";
import type { SessionUpdate } from "../../../lib/frontends/acp/protocol.ts";
import { replay } from "../../../lib/frontends/acp/replay.ts";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import { databaseOf, talk } from "../../agents/goose/_store.ts";
import { makeAgentHome } from "../../bench/agent_sessions.ts";
import { listed } from "../../_support/listed.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../../_support/log_bytes.ts";

function libraryOf(home: CliHome): Library {
  const variable = (name: string): string | undefined => name === "HOME" ? home.path : undefined;
  return openLibrary({ root: home.store, variable, cwd: home.work });
}

async function replayed(library: Library, id: string, limit: number): Promise<SessionUpdate[]> {
  const session = await library.open(id);
  const updates: SessionUpdate[] = [];
  const options = { row: await rowOf(library, session), limit, cwd: "/" };
  for await (const some of replay(session, options)) updates.push(...some);
  return updates;
}

/** Returns the messages without the note. */
function said(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) =>
    "messageId" in update && update.messageId !== "note" && "content" in update
      ? [`${(update.content as { text: string }).text.slice(0, 12)}`]
      : []
  );
}

function noteIn(updates: readonly SessionUpdate[]): string {
  return updates.map((update) =>
    "messageId" in update && update.messageId === "note" && "content" in update
      ? (update.content as { text: string }).text
      : ""
  ).join("");
}

function turns(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index): NewEvent[] => {
    const turn_id = `t${index}`;
    return [
      user(`Prompt ${index}`),
      toolStart(`c${index}`),
      toolEnd(`c${index}`, "x".repeat(9000)),
      assistant(`Answer ${index}`),
    ].map((event) => ({ ...event, turn_id }));
  }).flat();
}

inHome.test("replays only the end of a long session, with a note on the number of missing turns", async (home) => {
  const { id, path } = home.keep(sessionId("aaaa"), turns(240));
  const library = libraryOf(home);
  const whole = await replayed(library, id, 1e9);
  assert.equal(said(whole).length, 480);
  assert.equal(noteIn(whole), "");
  const end = await replayed(library, id, 1e6);
  assert.ok(said(end).length > 100 && said(end).length < 300, String(said(end).length));
  assert.deepEqual(said(whole).slice(-said(end).length), said(end));
  assert.match(said(end)[0] ?? "", /^Prompt/);
  // The head and the tail of the log tell no number of turns.
  assert.match(
    noteIn(end),
    /^This session is long \(2\.\d MB\)\. Earlier turns are not shown here/,
  );
  assert.ok(noteIn(end).endsWith(`reprise show ${id}`));
  assert.deepEqual([end[0], end[1]].map((update) => (update as { messageId: string }).messageId), [
    ...["note", "note"],
  ]);
  const ids = end.flatMap((update) => update.sessionUpdate === "tool_call" ? [update] : []);
  assert.equal(new Set(ids.map(({ toolCallId }) => toolCallId)).size, ids.length);
  assert.ok(ids.slice(0, -20).every((call) => JSON.stringify(call).length < 6000));
  assert.ok(ids.slice(-20).every((call) => JSON.stringify(call).length > 9000));
  assert.ok((await Deno.stat(path)).size > 2e6);
});

inHome.test("the note counts the missing turns if the number of turns is known", async (home) => {
  const { id } = home.keep(sessionId("aaaa"), turns(200));
  const library = libraryOf(home);
  const session = await library.open(id);
  const row = { ...await rowOf(library, session), turn_count: 200 };
  const updates: SessionUpdate[] = [];
  for await (const some of replay(session, { row, limit: 2e5, cwd: "/" })) updates.push(...some);
  const shown = said(updates).filter((text) => text.startsWith("Prompt")).length;
  assert.match(noteIn(updates), new RegExp(`${200 - shown} earlier turns are not shown here`));
});

inHome.test("a session that is longer than the limit only in its file is told whole", async (home) => {
  const noise = { kind: "workspace_snapshot", payload: { root: "/" } } as NewEvent;
  const { id } = home.keep(sessionId("aaaa"), [
    ...Array.from({ length: 3000 }, () => noise),
    ...turns(3),
  ]);
  const updates = await replayed(libraryOf(home), id, 2e5);
  assert.equal(said(updates).length, 6);
  assert.match(noteIn(updates), /^This session is long .* The whole session is shown\.$/);
});

for (const agent of ["claude", "codex", "pi"] as const) {
  inHome.test(`reads the end of a long session of ${agent} backwards`, async (home) => {
    makeAgentHome(agent, home.path, { count: 1, bytes: 1.2e6 });
    const library = libraryOf(home);
    const [row] = await listed(library);
    const ref = row?.ref ?? "";
    const whole = await replayed(library, ref, 1e9);
    const end = await replayed(library, ref, 3e5);
    assert.ok(said(end).length > 3 && said(end).length < said(whole).length / 2);
    assert.deepEqual(said(whole).slice(-said(end).length), said(end));
    assert.match(noteIn(end), new RegExp(`Earlier turns .* reprise show ${ref}$`));
    // Numbers from the end are not those of the events.
    assert.ok(end.every((update) => !JSON.stringify(update).includes("reprise/seq")));
    const short = await replayed(library, ref, 1.1e6);
    assert.match(noteIn(short), /Earlier turns|The whole session/);
  });
}

// Slow: the session is read whole, message by message.
inHome.test("keeps only the end of a long session that must be read whole", async (home) => {
  const path = join(home.path, ".local/share/goose/sessions/sessions.db");
  Deno.mkdirSync(dirname(path), { recursive: true });
  const { session } = talk("talk");
  const messages = Array.from({ length: 300 }, (_, at) => ({
    ...{
      message_id: `m${at}`,
      role: at % 2 === 0 ? "user" : "assistant",
      created: 1762000000 + at,
    },
    content: [{ type: "text", text: `Text ${at} ${"x".repeat(100)}` }],
  }));
  Deno.writeFileSync(path, databaseOf({ session, messages }));
  const library = libraryOf(home);
  const [row] = await listed(library, { agents: ["goose"] });
  assert.ok(row !== undefined);
  const whole = await replayed(library, row.ref, 1e9);
  const end = await replayed(library, row.ref, 2e4);
  assert.ok(said(end).length > 10 && said(end).length < said(whole).length);
  assert.deepEqual(said(whole).slice(-said(end).length), said(end));
  assert.match(noteIn(end), /turns are not shown here/);
});
