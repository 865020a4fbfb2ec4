/** Whether sessions of other agents run: of real processes, locks and times. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import { processStart } from "../../../lib/core/platform/process_state.ts";
import { rowsOf } from "../../../lib/library/query/candidate.ts";
import { listed } from "../../_support/listed.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { settle } from "../../_support/settle.ts";
import { LINUX, needing, UNIX } from "../../_support/needing.ts";

const ID = "c0ffee00-0000-4000-8000-000000000031";
const CHANGED = "2026-11-21T20:00:00.000Z";

/** A home with one session of each of some agents, all changed at one time. */
class Home {
  readonly path: string;
  now = new Date(Date.parse(CHANGED) + 3_600_000);

  constructor(path: string) {
    this.path = path;
    const user = { role: "user", content: "Do it" };
    const claude = { type: "user", uuid: "u1", parentUuid: null, sessionId: ID, cwd: path };
    this.#write(`.claude/projects/-w/${ID}.jsonl`, [
      { ...claude, isSidechain: false, timestamp: CHANGED, message: user },
    ]);
    const said = {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "Do it" }],
    };
    this.#write(`.codex/sessions/2026/11/21/rollout-2026-11-21T20-00-00-${ID}.jsonl`, [
      { timestamp: CHANGED, type: "session_meta", payload: { id: ID, cwd: path } },
      { timestamp: CHANGED, type: "response_item", payload: said },
    ]);
    this.#write(`.copilot/session-state/${ID}/events.jsonl`, [
      { type: "user.message", id: "e1", timestamp: CHANGED, data: { content: "Do it" } },
    ]);
    this.#write(`.pi/agent/sessions/--w--/2026-11-21T20-00-00-000Z_${ID}.jsonl`, [
      { type: "session", version: 3, id: ID, timestamp: CHANGED, cwd: path },
      { type: "message", id: "a1", parentId: null, timestamp: CHANGED, message: user },
    ]);
  }

  #write(path: string, records: object[]): void {
    this.note(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }

  note(path: string, text: string): void {
    const whole = join(this.path, path);
    Deno.mkdirSync(dirname(whole), { recursive: true });
    Deno.writeTextFileSync(whole, text);
  }

  library(): Library {
    const variable = (name: string): string | undefined => name === "HOME" ? this.path : undefined;
    const root = join(this.path, "store");
    return openLibrary({ root, variable, now: () => this.now, cache: { version: "t" } });
  }

  /** The status of each agent's session, the same from every caller. */
  async statuses(): Promise<Record<string, string>> {
    Deno.mkdirSync(join(this.path, "store"), { recursive: true });
    const library = this.library();
    const { entries } = await library.query();
    assert.equal(entries.length, 4);
    const rows = new Map((await listed(library)).map(({ agent, status }) => [agent, status]));
    const same = (told: readonly Summary[], says: string): void => {
      for (const row of told) {
        assert.equal(row.status, rows.get(row.agent), `${says}, ${row.agent}`);
      }
    };
    same(await rowsOf(entries), "rowsOf");
    const remembered = await listed(library, { remembered: true });
    assert.ok(remembered.length > 0);
    same(remembered, "remembered");
    same(await listed(library, { exact: true }), "exact");
    same(await listed(library), "after exact");
    for (const entry of entries) same([await (await entry.open()).summary()], "handle");
    const running = await listed(library, { running: true });
    const expected = [...rows].filter(([, status]) => status === "running").map(([name]) => name);
    assert.deepEqual(running.map(({ agent }) => agent).sort(), expected.sort());
    return Object.fromEntries(rows);
  }
}

const withHome = (body: (home: Home) => Promise<void>): Promise<void> =>
  withDirectory(async (path) => {
    const home = new Home(path);
    await settle();
    await body(home);
  });

const STOPPED = {
  claude: "interrupted",
  codex: "interrupted",
  copilot: "interrupted",
  pi: "interrupted",
};
const RUNNING = { claude: "running", codex: "running", copilot: "running", pi: "running" };

Deno.test("without a mark a session runs if it changed in the last minute, to every caller", () =>
  withHome(async (home) => {
    assert.deepEqual(await home.statuses(), STOPPED);
    home.now = new Date(Date.parse(CHANGED) + 59_000);
    assert.deepEqual(await home.statuses(), RUNNING);
    // What was kept in the catalogue meanwhile is not the time's.
    home.now = new Date(Date.parse(CHANGED) + 61_000);
    assert.deepEqual(await home.statuses(), STOPPED);
    // A stated time that lies far ahead is none of a change.
    home.now = new Date(Date.parse(CHANGED) - 3_600_000);
    assert.deepEqual(await home.statuses(), STOPPED);
  }));

function sleeper(): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["eval", "setTimeout(() => {}, 60_000)"],
    stdin: "null",
  }).spawn();
}

Deno.test({
  ...needing("a pid file tells that a session runs, and that its process was killed", UNIX),
  fn: () =>
    withHome(async (home) => {
      const client = sleeper();
      const { pid } = client;
      const procStart = await processStart(pid);
      home.note(`.claude/sessions/${pid}.json`, JSON.stringify({ pid, sessionId: ID, procStart }));
      home.note(`.copilot/session-state/${ID}/inuse.${pid}.lock`, String(pid));
      const both = { ...STOPPED, claude: "running", copilot: "running" };
      try {
        assert.deepEqual(await home.statuses(), { ...both });
      } finally {
        client.kill("SIGKILL");
        await client.status;
      }
      assert.deepEqual(await home.statuses(), STOPPED);
      // It changed a moment ago, and yet its process is gone.
      home.now = new Date(Date.parse(CHANGED) + 1000);
      const killed = { claude: "interrupted", copilot: "interrupted" };
      assert.deepEqual(await home.statuses(), { ...RUNNING, ...killed });
    }),
});

Deno.test({
  ...needing("a process that took the number of another one does not count as running", LINUX),
  fn: () =>
    withHome(async (home) => {
      const { pid } = Deno;
      const file = `.claude/sessions/${pid}.json`;
      home.note(file, JSON.stringify({ pid, sessionId: ID, procStart: "1" }));
      assert.equal((await home.statuses()).claude, "interrupted");
      home.note(file, JSON.stringify({ pid, sessionId: ID, startedAt: 1_700_000_000_000 }));
      assert.equal((await home.statuses()).claude, "interrupted");
      home.note(file, JSON.stringify({ pid, sessionId: ID, startedAt: Date.now() }));
      assert.equal((await home.statuses()).claude, "running");
      const lock = `.copilot/session-state/${ID}/inuse.${pid}.lock`;
      home.note(lock, String(pid));
      assert.equal((await home.statuses()).copilot, "running");
      Deno.utimeSync(join(home.path, lock), 1_700_000_000, 1_700_000_000);
      assert.equal((await home.statuses()).copilot, "interrupted");
    }),
});

Deno.test({
  ...needing("a locked thread of Codex runs, and one whose lock was let go does not", UNIX),
  fn: () =>
    withHome(async (home) => {
      const lock = `.codex/thread-writer-locks/${ID}.lock`;
      home.note(lock, "");
      const file = Deno.openSync(join(home.path, lock), { write: true });
      file.lockSync(true);
      assert.deepEqual(await home.statuses(), { ...STOPPED, codex: "running" });
      file.close();
      assert.deepEqual(await home.statuses(), STOPPED);
      home.now = new Date(Date.parse(CHANGED) + 1000);
      assert.deepEqual(await home.statuses(), { ...RUNNING, codex: "interrupted" });
    }),
});
