/** Gemini CLI, without a terminal or a network. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { NpmClient } from "../npm_client.ts";
import { writeFile } from "./home_files.ts";

/** How it is run. */
export const gemini: NpmClient = {
  agent: "gemini",
  package: "@google/gemini-cli",
  version: "0.61.0",
  program: ".bin/gemini",
  shell: (command) => ({ name: "run_shell_command", input: { command } }),
  files: {
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    edit: (path, old_text, new_text) => ({
      name: "replace",
      input: {
        file_path: path,
        instruction: "Say it in German",
        old_string: old_text,
        new_string: new_text,
      },
    }),
  },
  repeats_results: true,
  setUp: ({ home, deletes = false }) =>
    writeFile(join(home, ".gemini", "settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { sessionRetention: { enabled: deletes }, enableAutoUpdate: false },
    }),
  env: ({ url }) => ({
    GEMINI_API_KEY: "dummy",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  args: ({ prompt, id }) =>
    prompt === undefined ? undefined : [
      ...["-m", "gemini-2.5-pro", "--yolo"],
      ...(id === undefined ? [] : ["--resume", id]),
      ...["-p", prompt],
    ],
  injects: [
    /^<session_context>/,
    // Behind results that no answer followed.
    /^\[The previous response was interrupted before it completed\.\]$/,
  ],
  adopt({ home, cwd }, path): string | undefined {
    const text = readFileSync(path, "utf8");
    const id = /"sessionId":\s*"([^"]+)"/.exec(text)?.[1];
    if (id === undefined) return undefined;
    const hash = createHash("sha256").update(cwd).digest("hex");
    const moved = text.replaceAll(/"projectHash":\s*"[^"]*"/g, `"projectHash":"${hash}"`);
    const folder = join(home, ".gemini", "tmp", "work");
    writeFile(join(folder, ".project_root"), cwd);
    const name = hash.slice(0, 4) + createHash("sha256").update(id).digest("hex").slice(0, 4);
    writeFile(join(folder, "chats", `session-2026-01-01T00-00-${name}${extname(path)}`), moved);
    return id;
  },
};
