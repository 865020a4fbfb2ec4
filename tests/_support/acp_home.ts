/** A home whose sessions of three agents tell of calls, changes and a compaction. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliHome, type KeptSession, sessionId } from "./cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "./log_bytes.ts";

const AGENTS = fileURLToPath(new URL("../../testdata/agents", import.meta.url));

/** Other agents' sessions, by id. */
export const OTHERS = {
  claude: "claude:c0ffee00-0000-4000-8000-000000000001",
  codex: "codex:0199aaaa-0000-7000-8000-000000000008",
} as const;

/** Their folders below the home. */
export const OTHER_FOLDERS = [".claude", ".codex"];

/** Fills a home with a session of each agent. */
export function furnishEditorHome(home: CliHome): KeptSession {
  const claude = OTHERS.claude.slice("claude:".length);
  copy(home, "claude/turn.jsonl", `.claude/projects/-home-ada-src-ledger/${claude}.jsonl`);
  const codex = `rollout-2026-03-01T09-00-00-${OTHERS.codex.slice("codex:".length)}.jsonl`;
  copy(home, "codex/apply_patch.jsonl", `.codex/sessions/2026/03/01/${codex}`);
  return home.keep(sessionId("0a0a"), [
    user("Look at a.ts"),
    toolStart("c1"),
    toolEnd("c1"),
    assistant("It is short."),
  ]);
}

function copy(home: CliHome, sample: string, place: string): void {
  const path = join(home.path, place);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const text = Deno.readTextFileSync(join(AGENTS, sample));
  Deno.writeTextFileSync(
    path,
    text.replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(home.work)}`),
  );
}
