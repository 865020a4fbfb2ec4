import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { agentPlaces } from "../../../lib/agents/contract/agent_roots.ts";
import { EDITOR_USER_ROOTS, inEditorFolders } from "../../../lib/agents/contract/editor_folders.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Returns the user folders on one system, below its home, where these folders are. */
async function folders(
  os: string,
  made: readonly string[],
  { roots = EDITOR_USER_ROOTS, variables = {} as Record<string, string> } = {},
): Promise<string[]> {
  let found: string[] = [];
  await withDirectory(async (home) => {
    for (const path of made) await Deno.mkdir(join(home, path), { recursive: true });
    const variable = (name: string): string | undefined =>
      variables[name] === undefined ? undefined : join(home, variables[name]);
    const places = agentPlaces({ name: "goose", roots }, { home, os, variable });
    found = places.map(({ folder }) => folder.slice(home.length + 1));
  });
  return found;
}

const SERVER = join(".vscode-server/data/User");

Deno.test("each system keeps the user folders of editors elsewhere", async () => {
  const library = join("Library/Application Support/Code/User");
  const roaming = join("AppData/Roaming/Code/User");
  const config = join(".config/Code/User");
  const all = [library, roaming, config, join("x/Code/User"), SERVER];
  assert.deepEqual(await folders("linux", all), [config, SERVER]);
  const moved = { variables: { XDG_CONFIG_HOME: "x", APPDATA: "x" } };
  assert.deepEqual(await folders("linux", all, moved), [join("x/Code/User"), SERVER]);
  assert.deepEqual(await folders("darwin", all), [library, SERVER]);
  assert.deepEqual(await folders("windows", all), [roaming, SERVER]);
  assert.deepEqual(await folders("windows", all, moved), [join("x/Code/User"), SERVER]);
});

Deno.test("an editor that is not there has no root, and the others are not asked for one by one", async () => {
  assert.deepEqual(await folders("linux", []), []);
  assert.deepEqual(await folders("linux", [".config"]), []);
  const cursor = join(".config/Cursor/User");
  assert.deepEqual(await folders("linux", [dirname(cursor)]), [cursor]);
});

Deno.test("a path in an editor's folder has a row for each editor", async () => {
  const roots = inEditorFolders("globalStorage/some.extension");
  assert.equal(roots.length, EDITOR_USER_ROOTS.length);
  const folder = join(".config/Code/User/globalStorage/some.extension");
  assert.deepEqual(await folders("linux", [".config/Code"], { roots }), [folder]);
});
