/**
 * Kept sessions that say nothing which their original does not say: a list of both shows one.
 */
import { dirname } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { isGoneOnWith } from "./gone_on.ts";
import { isKept, type KeptManifest, readManifest } from "./kept_source.ts";
import { fileState } from "./source_state.ts";

/**
 * Whether the session of a log was kept, nobody went on with it, and its original is as it was then.
 *
 * @param path The log of a session of ours.
 * @param isThere Whether the original is among what is shown, told by `<agent>:<id>`.
 */
export function isMereCopy(path: string, isThere: (ref: string) => boolean): boolean {
  const directory = dirname(path);
  // Most sessions were not kept: that costs one look.
  const manifest = isKept(directory) ? readManifest(directory) : undefined;
  if (manifest === undefined || !isThere(`${manifest.agent}:${manifest.id}`)) return false;
  try {
    return isUnchanged(manifest) && !isGoneOnWith(path, manifest);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return false;
  }
}

/** Of a session in a database, no file tells. */
function isUnchanged({ files: [own], kept_at }: KeptManifest): boolean {
  if (own === undefined) return false;
  const { bytes, modified_at } = fileState(own.path);
  return bytes === own.bytes && modified_at < kept_at;
}
