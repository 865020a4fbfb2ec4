/** OpenCode, without a terminal or a network. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NpmClient } from "../npm_client.ts";
import { copyFile, writeFile } from "./home_files.ts";

/** How it is run. */
export const opencode: NpmClient = {
  agent: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  program: ".bin/opencode",
  shell: (command) => ({ name: "bash", input: { command, description: "Runs it" } }),
  files: {
    write: (path, content) => ({ name: "write", input: { filePath: path, content } }),
    read: (path) => ({ name: "read", input: { filePath: path } }),
    edit: (path, old_text, new_text) => ({
      name: "edit",
      input: { filePath: path, oldString: old_text, newString: new_text },
    }),
  },
  setUp: ({ home, url }) =>
    writeFile(join(home, ".config", "opencode", "opencode.json"), opencodeSettings(url)),
  async compact(_place, id, start): Promise<void> {
    const server = start(["serve", "--port", "0", "--hostname", "127.0.0.1"]);
    const url = await server.until(/listening on (http:\S+)/);
    await fetch(`${url}/session/${id}/summarize`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ providerID: "mock", modelID: "mock-1" }),
      signal: AbortSignal.timeout(60_000),
    }).then((response) => response.text());
    await server.stop();
  },
  async adopt({ home, cwd }, path, start): Promise<string | undefined> {
    if (path.endsWith(".db")) {
      const copied = join(home, ".local", "share", "opencode", "opencode.db");
      copyFile(path, copied);
      // It resumes nothing in a directory that is not there.
      const database = new DatabaseSync(copied);
      database.prepare("UPDATE session SET project_id = 'global', directory = ?").run(cwd);
      database.close();
      return "all";
    }
    const { output } = await start(["import", path]).ended;
    return /ses_\w+/.exec(output)?.[0];
  },
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  args: ({ prompt, id }) =>
    prompt === undefined
      ? undefined
      : ["run", "-m", "mock/mock-1", ...(id === undefined ? [] : ["-s", id]), prompt],
  injects: [],
};

/** Returns settings that know the scripted model alone. */
export function opencodeSettings(url: string): object {
  return {
    provider: {
      mock: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: "dummy" },
        models: {
          "mock-1": {
            name: "mock-1",
            reasoning: true,
            attachment: true,
            modalities: { input: ["text", "image"], output: ["text"] },
            interleaved: { field: "reasoning_content" },
            limit: { context: 4e6, output: 4096 },
          },
        },
      },
    },
    model: "mock/mock-1",
    enabled_providers: ["mock"],
    permission: { "*": "allow" },
    autoupdate: false,
  };
}
