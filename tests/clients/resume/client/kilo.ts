/** Kilo CLI, without a terminal or a network: a fork of OpenCode. */
import { join } from "node:path";
import type { NpmClient, Place } from "../npm_client.ts";
import { writeFile } from "./home_files.ts";
import { opencode, opencodeSettings } from "./opencode.ts";

/** How it is run. */
export const kilo: NpmClient = {
  agent: "kilo",
  // The package `@kilocode/cli` only chooses one of these.
  package: "@kilocode/cli-linux-x64",
  version: "7.7.9",
  program: "@kilocode/cli-linux-x64/bin/kilo",
  shell: opencode.shell,
  setUp: ({ home, url }: Place) =>
    writeFile(join(home, ".config", "kilo", "kilo.json"), opencodeSettings(url)),
  env: () => ({ KILO_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_AUTOUPDATE: "1" }),
  args: opencode.args,
  injects: [],
  wraps: /<environment_details>[^]*?<\/environment_details>\s*/g,
};
