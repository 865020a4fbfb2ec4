/** Returns the path of the settings beside a session. They hold its model and its tokens. */
export function settingsBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".settings.json";
}
