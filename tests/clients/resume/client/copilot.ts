/** Copilot CLI, without a terminal, an account or a network. */
import { join } from "node:path";
import type { NpmClient } from "../npm_client.ts";
import { writeFile } from "./home_files.ts";

/** How it is run. */
export const copilot: NpmClient = {
  agent: "copilot",
  package: "@github/copilot",
  version: "1.0.102",
  program: ".bin/copilot",
  shell: (command) => ({ name: "bash", input: { command, description: "Runs it" } }),
  setUp: ({ home }) => writeFile(join(home, ".copilot", "config.json"), {}),
  env: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "mock-1",
    COPILOT_OFFLINE: "true",
  }),
  args: ({ prompt, id }) =>
    prompt === undefined
      ? undefined
      : [...(id === undefined ? [] : [`--resume=${id}`]), "--allow-all-tools", "-p", prompt],
  injects: [],
  wraps: /<current_datetime>[^<]*<\/current_datetime>\s*|Attached image$/g,
};
