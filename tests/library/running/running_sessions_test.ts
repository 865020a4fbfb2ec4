/** Sessions that run and wait, of real files and processes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openLibrary } from "../../../lib/library/library.ts";
import { RunningSessions } from "../../../lib/library/running/running_sessions.ts";
import { eventually } from "../../_support/eventually.ts";
import { LINUX, needing } from "../../_support/needing.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Starts a program that does nothing until its input ends. */
function startNamed(folder: string, name: string, cwd: string): Deno.ChildProcess {
  const program = join(folder, name);
  Deno.writeTextFileSync(program, "#!/bin/sh\nread line\n", { mode: 0o755 });
  return new Deno.Command(program, { cwd, stdin: "piped" }).spawn();
}

/** Writes a session of Gemini CLI whose last call is open. */
function putSession(home: string, cwd: string, id: string, at: Date): void {
  const folder = join(home, ".gemini/tmp/work");
  Deno.mkdirSync(join(folder, "chats"), { recursive: true });
  Deno.writeTextFileSync(join(folder, ".project_root"), cwd);
  const timestamp = at.toISOString();
  const call = {
    ...{ id: "c1", name: "ask_user", timestamp, status: "executing" },
    args: { questions: [{ question: "Which port?" }] },
  };
  const session = {
    ...{ sessionId: id, projectHash: "work", startTime: timestamp, lastUpdated: timestamp },
    messages: [
      { id: "m1", timestamp, type: "user", content: "Serve it" },
      { id: "m2", timestamp, type: "gemini", content: "I ask", toolCalls: [call] },
    ],
  };
  const name = `session-2026-11-29T10-00-${id.slice(0, 8)}.json`;
  Deno.writeTextFileSync(join(folder, "chats", name), JSON.stringify(session));
}

Deno.test(
  needing("a silent session stays while its agent's process runs in its directory", LINUX),
  () =>
    withDirectory(async (home) => {
      const cwd = join(home, "work");
      for (const folder of [cwd, join(home, "store")]) Deno.mkdirSync(folder);
      const began = new Date();
      putSession(home, cwd, "11111111-1111-4111-8111-111111111111", new Date(+began - 600_000));
      putSession(home, cwd, "22222222-2222-4222-8222-222222222222", began);
      const library = openLibrary({
        root: join(home, "store"),
        variable: (name) => name === "HOME" ? home : undefined,
        now: () => new Date(+began + 3_600_000),
      });
      const look = async (): Promise<unknown[]> =>
        (await new RunningSessions(library).look()).map(({ row: { session_id }, attention }) => [
          session_id.slice(0, 4),
          attention,
        ]);
      assert.deepEqual(await look(), []);
      const client = startNamed(home, "gemini", cwd);
      const wait = { kind: "question", text: "Which port?", certain: true };
      try {
        const found = await eventually(async () => {
          const found = await look();
          return found.length > 0 && found;
        });
        // The other session changed before the process began.
        assert.deepEqual(found, [["2222", { state: "waits", wait }]]);
      } finally {
        await client.stdin.close();
        await client.status;
      }
      assert.deepEqual(await look(), []);
    }),
);
