/** Claude Code, without a terminal or a network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NpmClient } from "../npm_client.ts";
import { copyFile, UUID, writeFile } from "./home_files.ts";

function reminder(start: string): RegExp {
  return new RegExp(`^<system-reminder> ${RegExp.escape(start)}`);
}

/** How it is run. */
export const claude: NpmClient = {
  agent: "claude",
  package: "@anthropic-ai/claude-code",
  version: "2.1.330",
  program: ".bin/claude",
  shell: (command) => ({ name: "Bash", input: { command, description: "Runs it" } }),
  files: {
    write: (path, content) => ({ name: "Write", input: { file_path: path, content } }),
    read: (path) => ({ name: "Read", input: { file_path: path } }),
    edit: (path, old_text, new_text) => ({
      name: "Edit",
      input: { file_path: path, old_string: old_text, new_string: new_text },
    }),
  },
  setUp: ({ home }) => writeFile(join(home, ".claude.json"), { hasCompletedOnboarding: true }),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
  }),
  args: ({ prompt = "/compact", id }) => [
    "-p",
    ...(id === undefined ? [] : ["--resume", id]),
    prompt,
    "--dangerously-skip-permissions",
  ],
  injects: [
    reminder("# Environment"),
    reminder("You are powered by the model"),
    reminder("The following deferred tools"),
    reminder("Available agent types"),
    reminder("The following skills"),
    reminder("While bypass permissions mode"),
    reminder("Today's date is"),
    reminder("Attribution for git"),
    reminder("<total_tokens>"),
    reminder("The task tools haven't been used"),
    reminder("As you answer the user's questions"),
    // Behind a last word of the user that nothing answered.
    /^No response requested\.$/,
    // Behind the results of its search for tools.
    /^Tool loaded\.$/,
    // In the place of a message that it takes out, as the result of no call.
    /^\(no content\)$/,
  ],
  renames: { Task: "Agent" },
  adopt({ home, cwd }, path): string | undefined {
    const first = UUID.exec(
      readFileSync(path, "utf8").match(/"session_?[iI]d":\s*"[^"]+"/)?.[0] ?? "",
    )
      ?.[0];
    if (first === undefined) return undefined;
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    copyFile(path, join(home, ".claude", "projects", folder, `${first}.jsonl`));
    return first;
  },
};
