import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { bootTime } from "../../lib/core/platform/process_state.ts";
import { keepClaudeSession, putProgram, putStatus, TELLING } from "./_fake_agent.ts";
import { UNIX } from "../_support/needing.ts";

const UUID = "3f2a91c0-1111-4222-8333-444455556666";
const HOUR = 3_600_000;

inHome.test("the sessions that a restart cut off are listed, and a line resumes each", async (home) => {
  /** Keeps a session whose last record was written at a time before the machine's start. */
  const keep = (
    prefix: string,
    hours: number,
    message: object = { role: "user", content: "Do" },
  ) => {
    const id = sessionId(prefix);
    const { path } = keepClaudeSession(home, id, home.work);
    const timestamp = new Date(bootTime() - hours * HOUR).toISOString();
    const place = { uuid: "u2", parentUuid: "u1", isSidechain: false, sessionId: id, timestamp };
    const record = { ...place, type: "id" in message ? "assistant" : "user", message };
    Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
    return id;
  };
  const content = [{ type: "text", text: "Done" }];
  const cut = keep("aaaa", 1);
  const before = keep("bbbb", 72);
  keep("cccc", 1, { id: "m", role: "assistant", model: "m", stop_reason: "end_turn", content });
  putStatus(home, keep("dddd", 2), { status: "busy" });
  const env = putProgram(home, "claude", TELLING);
  const boot = ["--since", "boot"];
  const minute = ["--since", "1m"];
  const cases = [
    { since: [], listed: boot, ids: [cut] },
    { since: ["--since", "9d"], listed: [], ids: [cut, before] },
    { since: minute, listed: minute, ids: [] },
  ];
  for (const { since, listed, ids } of cases) {
    const told = await home.run(["resume", "--all-interrupted", "--print", ...since], { env });
    const stdout = ids.map((id) => `cd ${home.work} && claude --resume ${id}\n`).join("");
    const stderr = ids.length === 0 ? "No session was interrupted\n" : "";
    assert.deepEqual(told, { status: 0, stdout, stderr });
    const rows = await home.run(["list", "--interrupted", "--json", ...listed]);
    assert.deepEqual(jsonLines(rows.stdout).map(({ session_id }) => session_id), ids);
  }
});

testsAtHome(UNIX).test(
  "the line that resume prints does in a shell what resume does, in any directory",
  async (home) => {
    const env = putProgram(home, "claude", TELLING);
    const names = [
      "with spaces",
      "学校 プロジェクト",
      'it\'s "$HOME" `id` \\',
      "two\nlines\x1b[31m\u202e\u200b\ufeff\u00a0",
    ];
    for (const name of names) {
      const cwd = join(home.work, name);
      Deno.mkdirSync(cwd);
      const { ref } = keepClaudeSession(home, UUID, cwd);
      const { stdout: line } = await home.succeed(["resume", ref], { env, cwd });
      const { stdout } = await new Deno.Command("bash", { args: ["-c", line], env }).output();
      const said = new TextDecoder().decode(stdout);
      assert.equal(said, `in=${cwd}\n${cwd}\n<--resume>\n<${UUID}>\n`, JSON.stringify(name));
      Deno.removeSync(join(home.path, ".claude"), { recursive: true });
    }
  },
);
