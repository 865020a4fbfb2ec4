import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentHome, makeHome } from "../../_support/agent_contract.ts";
import { filesBelow } from "../../_support/files_below.ts";

const TESTDATA = fileURLToPath(new URL("../../../testdata/agents/cline", import.meta.url));

/** Where the fixtures of each form lie in a home. */
export const PLACES = {
  core: ".cline/data/sessions",
  extension: ".vscode-server/data/User/globalStorage/saoudrizwan.claude-dev",
  roo: ".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline",
} as const;

/** The fixtures of some forms, by their paths in a home. */
export function clineFiles(...forms: (keyof typeof PLACES)[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const form of forms) {
    for (const path of filesBelow(join(TESTDATA, form))) {
      if (basename(path).startsWith("GOLDEN")) continue;
      const name = relative(join(TESTDATA, form), path).replaceAll("\\", "/");
      files[`${PLACES[form]}/${name}`] = Deno.readTextFileSync(path);
    }
  }
  return files;
}

/** A home with the fixtures of some forms. */
export async function clineHome(...forms: (keyof typeof PLACES)[]): Promise<AgentHome> {
  return await makeHome(clineFiles(...forms));
}
