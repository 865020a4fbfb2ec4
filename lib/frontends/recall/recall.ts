/** Tells an agent how its project's last session ended, or what a compaction just removed. */
import { Catalogue } from "../../library/catalogue/catalogue.ts";
import { openLibrary } from "../../library/library.ts";
import { sessionOf } from "../../library/query/query.ts";
import { operatingSystem } from "../../core/platform/runtime.ts";
import type { ReadVariable } from "../../core/workspace/data_root.ts";
import { homeFolder } from "../../core/workspace/home_folder.ts";
import { projectDirectories } from "../../core/workspace/project.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import { currentSession, lastSession } from "./find_session.ts";
import type { HookInput } from "./hook_input.ts";
import { outsideVariables, projectGround, RecallGate } from "./recall_gate.ts";

export interface RecallOptions {
  variable: ReadVariable;
  /** The directory of the hook's process. A directory in the hook's input is preferred. */
  cwd: string;
  now: () => Date;
  /** Ends the search. The agent then gets no text. */
  signal: AbortSignal;
  /** The version of the program that uses the cache. @default {no cache is read or written} */
  cache?: { version: string } | undefined;
}

/** Hook sources that mean neither a new nor a resumed session. */
const OTHER_STARTS: readonly (string | undefined)[] = ["clear", "compact"];

/**
 * Returns the text for the agent, or undefined if there is nothing to say.
 *
 * @throws Errors of reading the sessions. The caller then tells the agent nothing.
 */
export async function recall(
  moment: "start" | "compact",
  input: HookInput,
  { variable: given, cwd: here, now, signal, cache }: RecallOptions,
): Promise<string | undefined> {
  const home = homeFolder(given);
  const cwd = sessionDirectory(input.cwd)?.local ?? here;
  if (home === undefined || input.is_subagent || given("REPRISE_RECALL") === "off") {
    return undefined;
  }
  if (moment === "start" && OTHER_STARTS.includes(input.source)) return undefined;
  const at = { home, os: operatingSystem };
  const ground = [...projectGround(cwd, at), ...projectGround(here, at)];
  const variable = outsideVariables(given, { cwd, home, ground });
  // A home within the project is not the user's.
  if (homeFolder(variable) !== home) return undefined;
  const library = openLibrary({ variable, cwd, now, cache });
  const gate = new RecallGate(library.place.environment, ground);
  using catalogue = new Catalogue(library.kept);
  const search = { library, catalogue, gate, signal };
  if (moment === "start") {
    const row = await lastSession(search, projectDirectories(cwd), input);
    const { startText } = await import("./start_text.ts");
    return row && await startText(await library.entry(sessionOf(row)).open(), row);
  }
  const session = await currentSession(search, input);
  const { compactText } = await import("./compact_text.ts");
  return session && await compactText(await library.entry(session).open());
}
