/**
 * Recorded sessions of real agents, which are not published: `$REPRISE_SAMPLES` names their folder, with
 * one folder for each agent.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const FOLDER = Deno.env.get("REPRISE_SAMPLES") ?? "no folder of samples";

/** The place of a sample, or of a folder of them; a name that ends in `/` is the base of others. */
export function sampleUrl(name: string): URL {
  return new URL(name, pathToFileURL(resolve(FOLDER) + "/"));
}

/** The folder of all samples. It may not be there. */
export const SAMPLES: string = resolve(FOLDER);
