import assert from "node:assert/strict";
import { join } from "node:path";
import { agentPlaces } from "../../lib/source/agent_roots.ts";
import { EDITOR_USER_ROOTS, inEditorFolders } from "../../lib/source/editor_folders.ts";

/** The first user folder and those of a server, on one system. */
function folders(os: string, variables: Record<string, string> = {}): (string | undefined)[] {
  const environment = { home: "/home/dev", os, variable: (name: string) => variables[name] };
  const places = agentPlaces({ name: "goose", roots: EDITOR_USER_ROOTS }, environment);
  return [places[0]?.folder, places.find(({ folder }) => folder.includes("-server"))?.folder];
}

const SERVER = join("/home/dev/.vscode-server/data/User");

Deno.test("each system keeps the user folders of editors elsewhere", () => {
  const library = join("/home/dev/Library/Application Support/Code/User");
  const roaming = join("/home/dev/AppData/Roaming/Code/User");
  assert.deepEqual(folders("linux"), [join("/home/dev/.config/Code/User"), SERVER]);
  assert.deepEqual(folders("linux", { XDG_CONFIG_HOME: "/x" }), [join("/x/Code/User"), SERVER]);
  assert.deepEqual(folders("darwin"), [library, SERVER]);
  assert.deepEqual(folders("windows"), [roaming, SERVER]);
  assert.deepEqual(folders("windows", { APPDATA: "/r" }), [join("/r/Code/User"), SERVER]);
});

Deno.test("a path in an editor's folder has a row for each editor", () => {
  const rows = inEditorFolders("globalStorage/some.extension");
  assert.equal(rows.length, EDITOR_USER_ROOTS.length);
  const environment = { home: "/home/dev", os: "linux", variable: () => undefined };
  const [first] = agentPlaces({ name: "goose", roots: rows }, environment);
  const folder = join("/home/dev/.config/Code/User/globalStorage/some.extension");
  assert.equal(first?.folder, folder);
});
