/** Qwen Code, without a terminal or a network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NpmClient } from "../npm_client.ts";
import { UUID, writeFile } from "./home_files.ts";

/** How it is run. */
export const qwen: NpmClient = {
  agent: "qwen",
  package: "@qwen-code/qwen-code",
  version: "0.24.4",
  program: ".bin/qwen",
  shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
  files: {
    write: (path, content) => ({ name: "write_file", input: { file_path: path, content } }),
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
    edit: (path, old_text, new_text) => ({
      name: "edit",
      input: { file_path: path, old_string: old_text, new_string: new_text },
    }),
  },
  setUp: ({ home }) =>
    writeFile(join(home, ".qwen", "settings.json"), {
      security: { auth: { selectedType: "openai" } },
      // Else it sends a word for an image.
      model: { generationConfig: { modalities: { image: true } } },
    }),
  env: ({ url }) => ({
    OPENAI_API_KEY: "dummy",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: "mock-1",
  }),
  args: ({ prompt = "/compress", id }) => [
    ...(id === undefined ? [] : ["--resume", id]),
    ...["--yolo", "-p", prompt],
  ],
  injects: [/^<system-reminder>/],
  adopt({ home, cwd }, path): string | undefined {
    const text = readFileSync(path, "utf8");
    const id = UUID.exec(text.match(/"sessionId":\s*"[^"]+"/)?.[0] ?? "")?.[0];
    if (id === undefined) return undefined;
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    const moved = text.replaceAll(/"cwd":\s*"[^"]*"/g, `"cwd":${JSON.stringify(cwd)}`);
    writeFile(join(home, ".qwen", "projects", folder, "chats", `${id}.jsonl`), moved);
    return id;
  },
};
