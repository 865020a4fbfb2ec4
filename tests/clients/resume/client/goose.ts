/** goose, without a terminal or a network. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NpmClient } from "../npm_client.ts";

/** How it is run. */
export const goose: NpmClient = {
  agent: "goose",
  // The package `@aaif/goose` only shows what this one does.
  package: "@aaif/goose-binary-linux-x64",
  version: "1.52.0",
  program: "@aaif/goose-binary-linux-x64/bin/goose",
  shell: (command) => ({ name: "shell", input: { command } }),
  setUp({ home, url }): void {
    const folder = join(home, ".config", "goose");
    mkdirSync(folder, { recursive: true });
    const settings = { GOOSE_PROVIDER: "openai", GOOSE_MODEL: "gpt-4o", OPENAI_HOST: url };
    // JSON is YAML, too. Only of a model that it knows does it believe that it sees images.
    writeFileSync(join(folder, "config.yaml"), JSON.stringify({ ...settings, GOOSE_MODE: "auto" }));
  },
  env: () => ({ GOOSE_DISABLE_KEYRING: "1", OPENAI_API_KEY: "dummy" }),
  args: ({ prompt, id }) =>
    prompt === undefined
      ? undefined
      : ["run", ...(id === undefined ? [] : ["--resume", "--session-id", id]), "-t", prompt],
  injects: [],
  wraps: /\s*<turn-context>[^]*?<\/turn-context>|\(empty result\)$/g,
};
