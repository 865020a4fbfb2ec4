/**
 * Returns the path of a session's settings file, which has the session's model and token counts.
 */
export function settingsBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".settings.json";
}
