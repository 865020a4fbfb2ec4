/** Hands sessions over by the command, as a user would. */
import { join } from "node:path";
import { cliEnvironment } from "../../_support/cli.ts";
import { FROM_SOURCE } from "../resume/client/reprise.ts";
import type { ClientHome } from "./client_home.ts";

/** What `reprise handover --json` says. */
export interface HandedOver {
  id: string;
  path: string;
  command: string[];
}

/** Prepares a run of `reprise` in a home. */
export function repriseCommand(
  { home, cwd, path }: ClientHome,
  args: readonly string[],
): Deno.Command {
  const env = cliEnvironment({ home, env: { PATH: path, REPRISE_HOME: join(home, "reprise") } });
  return new Deno.Command(Deno.execPath(), {
    args: [...FROM_SOURCE, ...args],
    env: { ...env, OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
    clearEnv: true,
    cwd,
    ...{ stdin: "null", stdout: "piped", stderr: "piped" },
  });
}

/** Runs `reprise` in a home. */
export async function runReprise(home: ClientHome, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await repriseCommand(home, args).output();
  const [said, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`reprise ${args[0]}: ${failed || said}`);
  return said ?? "";
}

/** Hands a session over to an agent. */
export async function handOver(
  home: ClientHome,
  ref: string,
  target: string,
): Promise<HandedOver> {
  const options = ["--to", target, "--cwd", home.cwd, "--json"];
  return JSON.parse(await runReprise(home, ["handover", ref, ...options]));
}
