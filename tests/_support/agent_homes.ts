/** Sessions of other agents where these keep them: a home as people have it. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliHome } from "./cli_home.ts";
import { SAMPLES } from "./samples.ts";

const PI = fileURLToPath(new URL("../../testdata/agents/pi/turn.jsonl", import.meta.url));

/** Folders of samples, and where their agents keep such; the samples are not part of the repository. */
const PLACES = [
  ["claude-code/self-generated/2.1.100/projects", ".claude/projects"],
  ["codex/self-generated-0.169.0/sessions", ".codex/sessions"],
  ["goose/synthetic-from-ddl-v17", ".local/share/goose/sessions"],
  ["opencode/self-generated-1.18.34", ".local/share/opencode"],
  ["pi/genuine-0.73.1", ".pi/agent/sessions/--samples--"],
] as const;

/** Folders of other agents in a home that {@linkcode furnishAgents} furnished. */
export const AGENT_FOLDERS = [".claude", ".codex", ".local", ".pi"];

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory, isFile } of Deno.readDirSync(from)) {
    if (isDirectory) copyFolder(join(from, name), join(to, name));
    else if (isFile) Deno.writeFileSync(join(to, name), Deno.readFileSync(join(from, name)));
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // The samples are not everywhere.
    return false;
  }
}

/** Puts sessions of other agents into a home: one of pi's at least. */
export function furnishAgents(home: CliHome): void {
  for (const name of AGENT_FOLDERS) Deno.mkdirSync(join(home.path, name), { recursive: true });
  const own = join(
    home.path,
    ".pi/agent/sessions/--here--/2026-11-21T20-00-00-000Z_1111aaaa.jsonl",
  );
  Deno.mkdirSync(dirname(own), { recursive: true });
  Deno.copyFileSync(PI, own);
  for (const [sample, place] of PLACES) {
    const from = join(SAMPLES, sample);
    if (isThere(from)) copyFolder(from, join(home.path, place));
  }
}
