/**
 * The styles and scripts of the served pages. The name of each has a hash of its content, so a
 * browser loads it once and caches it.
 */
import { createHash } from "node:crypto";

interface Asset {
  type: string;
  text: string;
}

const KNOWN = new Map<string, Asset>();
const TYPES = { css: "text/css", js: "text/javascript" } as const;
const FOLDER = "assets/";
/** Number of characters of a hash in a name. */
const HASH = 22;

/** Adds a style or script to the served files. Returns its path, relative to a page. */
export function assetLink(text: string, ending: keyof typeof TYPES): string {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, HASH);
  const path = `${FOLDER}site.${hash}.${ending}`;
  KNOWN.set(path, { type: `${TYPES[ending]}; charset=utf-8`, text });
  return path;
}

export function assetAt(path: string): Asset | undefined {
  return KNOWN.get(path);
}

/**
 * Puts the server's address before the paths in a content security policy. The policy then allows
 * only styles and scripts of this server.
 */
export function policyOf(policy: string, base: string): string {
  return policy.replaceAll(/ (?=assets\/site\.)/g, ` ${base}`);
}
