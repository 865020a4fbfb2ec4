/** Agents' programs that tests put on `PATH`, and sessions for them to continue. */
import { join } from "node:path";
import type { CliHome } from "../_support/cli_home.ts";

/** Puts a shell script on `PATH` under an agent's name; gives the variables to run with. */
export function putProgram(
  home: CliHome,
  name: string,
  script: string,
  folder = join(home.path, "bin"),
): Record<string, string> {
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:${Deno.env.get("PATH")}` };
}

/** A script that says where it runs and with what, a word a line. */
export const TELLING = 'echo "in=$PWD"; pwd -P; for word in "$@"; do echo "<$word>"; done';

/** Puts a session where Claude Code keeps its own. */
export function keepClaudeSession(
  home: CliHome,
  id: string,
  cwd: string,
  file = `${id}.jsonl`,
): { ref: string; path: string } {
  const folder = join(home.path, ".claude", "projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"));
  Deno.mkdirSync(folder, { recursive: true });
  const path = join(folder, file);
  const record = {
    ...{ type: "user", uuid: "u1", parentUuid: null, isSidechain: false, sessionId: id, cwd },
    ...{ timestamp: "2026-11-21T20:00:00.000Z", version: "2.1.100", userType: "external" },
    message: { role: "user", content: "Asked of Claude" },
  };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`);
  return { ref: `claude:${id}`, path };
}

/**
 * Says in Claude Code's pid file what a session does. This process stands for its client, unless
 * another one is named.
 */
export function putStatus(home: CliHome, id: string, says: object): void {
  const folder = join(home.path, ".claude", "sessions");
  Deno.mkdirSync(folder, { recursive: true });
  const { pid } = Deno;
  Deno.writeTextFileSync(
    join(folder, `${id}.json`),
    JSON.stringify({ pid, sessionId: id, ...says }),
  );
}
