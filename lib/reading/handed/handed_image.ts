/** Tells which images of a session that is handed over go along. */

const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** True for a type that most providers' models take. Any other makes every request fail. */
export function isCommonImage(media_type: string): boolean {
  return TYPES.has(media_type);
}
