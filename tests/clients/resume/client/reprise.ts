/** Our own chat, from source, without a terminal or a network. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cliEnvironment } from "../../../_support/cli.ts";
import type { NpmClient } from "../npm_client.ts";

const MAIN = fileURLToPath(new URL("../../../../main.ts", import.meta.url));
const LOCK = fileURLToPath(new URL("../../../../deno.lock", import.meta.url));

/** The arguments that run the program from source. */
export const FROM_SOURCE: readonly string[] = [
  ...["run", "--quiet", "--no-check", `--lock=${LOCK}`, "-A"],
  MAIN,
];

/** How it is run. */
export const reprise: NpmClient = {
  agent: "reprise",
  package: "reprise",
  version: "from source",
  program: "main.ts",
  shell: (command) => ({ name: "bash", input: { command } }),
  files: {
    write: (path, content) => ({ name: "write", input: { path, content } }),
    read: (path) => ({ name: "read", input: { path } }),
    edit: (path, old_text, new_text) => ({ name: "edit", input: { path, old_text, new_text } }),
  },
  command: () => ({ program: Deno.execPath(), path: Deno.env.get("PATH") ?? "" }),
  setUp: () => {/* all is in the environment */},
  env: ({ home, url }) => ({
    ...cliEnvironment({ home }),
    REPRISE_HOME: join(home, "reprise"),
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "dummy",
  }),
  args: ({ prompt, id }) =>
    prompt === undefined ? undefined : [
      ...FROM_SOURCE,
      ...["chat", "--yes", "--model", "openai:mock-1"],
      ...(id === undefined ? [] : ["--resume", id]),
      prompt,
    ],
  injects: [],
};
