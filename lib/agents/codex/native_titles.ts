/**
 * Makes the command that names a thread. Codex (0.169) stores the name in a database and in
 * `session_index.jsonl`. Codex's list reads only the database, so a new line in the index would
 * have no effect. The app server's `thread/name/set` writes both. It accepts no empty name.
 */
import type { NativeTitles } from "../contract/native_title.ts";
import { codexHome } from "./locate.ts";

export const codexTitles: NativeTitles = {
  commandOf: ({ path, id }, title) => {
    const home = codexHome(path);
    if (home === undefined) return undefined;
    const requests = [
      { id: 1, method: "initialize", params: { clientInfo: { name: "reprise", version: "1" } } },
      { method: "initialized" },
      { id: 2, method: "thread/name/set", params: { threadId: id, name: title } },
    ];
    return {
      argv: ["codex", "app-server"],
      env: { CODEX_HOME: home },
      input: requests.map((one) => `${JSON.stringify(one)}\n`).join(""),
      ends: /^.*"id":2\b.*$/m,
      done: /^(?!.*"error").*"id":2\b/m,
    };
  },
};
