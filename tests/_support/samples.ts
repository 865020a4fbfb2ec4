/**
 * Recorded sessions of real agents, which are not published: `$REPRISE_SAMPLES` names their folder, with
 * one folder for each agent.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { filesBelow } from "./files_below.ts";
import { needing, recorded } from "./needing.ts";

const FOLDER = Deno.env.get("REPRISE_SAMPLES") ?? "no folder of samples";

/** The place of a sample, or of a folder of them; a name that ends in `/` is the base of others. */
export function sampleUrl(name: string): URL {
  return new URL(name, pathToFileURL(resolve(FOLDER) + "/"));
}

/** The folder of all samples. It may not be there. */
export const SAMPLES: string = resolve(FOLDER);

/** The files of JSON lines below a folder, which may not be there. */
export function recordingsBelow(folder: string, name = /\.jsonl$/): string[] {
  return existsSync(folder) ? filesBelow(folder).filter((path) => name.test(path)) : [];
}

/** Registers a test of recorded sessions, which is left out where this file or folder is missing. */
export function testRecorded(
  name: string,
  sample: string | URL,
  fn: () => Promise<void> | void,
): void {
  Deno.test({ ...needing(name, recorded(existsSync(sample))), fn });
}
