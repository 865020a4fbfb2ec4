import assert from "node:assert/strict";
import { join } from "node:path";
import { fenAgent } from "../../../lib/agents/fen/fen_agent.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";

function line(value: unknown): string {
  return JSON.stringify(value).replaceAll("/", "\\/") + "\n";
}

function header(cwd: string, id: string): string {
  return line({ type: "session", version: 2, id, timestamp: "2026-08-01T10-00-00", cwd });
}

function message(id: string, role: string, content: unknown): string {
  const timestamp = "2026-08-01T10-00-01";
  return line({ type: "message", id, timestamp, message: { role, content } });
}

Deno.test("a directory's sessions are found under all its spellings", async () => {
  await using home = await makeHome({ "shop/x": "" });
  const real = join(home.path, "shop");
  const link = join(home.path, "link");
  Deno.symlinkSync(real, link);
  const slug = (cwd: string) => `--${cwd.slice(1).replaceAll("/", "-")}--`;
  const store = join(home.path, "moved");
  for (
    const [folder, cwd, id] of [[slug(real), real, "a"], [slug(link), link, "b"], [
      "--x--",
      "/x",
      "c",
    ]]
  ) {
    const path = join(store, "sessions", folder as string);
    Deno.mkdirSync(path, { recursive: true });
    const name = `2026-08-01T10-00-00_${id}.jsonl`;
    Deno.writeTextFileSync(join(path, name), header(cwd as string, id as string));
  }
  Deno.mkdirSync(join(home.path, ".local", "state"), { recursive: true });
  Deno.symlinkSync(store, join(home.path, ".local", "state", "fen"));
  assert.equal((await locateAll(fenAgent, home.environment)).length, 3);
});

Deno.test("a session of pi, whose lines look alike, is none of fen's", () => {
  const encoder = new TextEncoder();
  const pi = line({
    type: "session",
    version: 3,
    id: "x",
    timestamp: "2026-08-06T17:49:38.956Z",
    cwd: "/w",
  });
  assert.ok(!fenAgent.recognize("x.jsonl", encoder.encode(pi)));
  assert.ok(fenAgent.recognize("x.jsonl", encoder.encode("torn{\n" + message("a", "user", "hi"))));
});
