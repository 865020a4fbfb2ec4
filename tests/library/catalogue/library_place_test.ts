import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { Library } from "../../../lib/library/library.ts";
import {
  libraryPlace,
  type Machine,
  otherHomes,
} from "../../../lib/library/catalogue/library_place.ts";
import { listed } from "../../_support/listed.ts";
import { makeHome } from "../../_support/agent_contract.ts";

const SMALL = new URL("../../../testdata/agents/claude/small.jsonl", import.meta.url);
const ID = "c0ffee00-0000-4000-8000-000000000002";
const DESKTOP = "AppData/Roaming/Claude/local-agent-mode-sessions/org/space/local_7";

/** A machine as WSL sees it: a home of its own, and `users` in the place of `/mnt/c/Users`. */
const FILES = {
  [`home/.claude/projects/-w/${ID}.jsonl`]: SMALL,
  [`users/ada/.claude/projects/C--w/${ID}.jsonl`]: SMALL,
  [`users/ada/${DESKTOP}/.claude/projects/-s/${ID}.jsonl`]: SMALL,
  [`users/Public/.claude/projects/C--w/${ID}.jsonl`]: SMALL,
  "users/desktop.ini": "",
};

async function refsIn(path: string, machine: Pick<Machine, "os" | "variable">): Promise<string[]> {
  const mounts = { windows_users: join(path, "users"), wsl: "", systems: () => [] };
  const place = libraryPlace({ root: join(path, "root"), ...machine, mounts });
  return (await listed(new Library(place, path), { scope: "all" })).map(({ ref }) => ref).sort();
}

function settings(path: string, wsl: boolean): void {
  const file = join(path, "root", "config.json");
  Deno.mkdirSync(dirname(file), { recursive: true });
  Deno.writeTextFileSync(file, JSON.stringify({ "roots.wsl": wsl }));
}

Deno.test("WSL reads the sessions of Windows' users too, if the setting says so", async () => {
  await using home = await makeHome(FILES);
  const { path } = home;
  // A variable of this system says nothing of the other one's folders.
  const values: Record<string, string> = { HOME: join(path, "home"), XDG_CONFIG_HOME: "/none" };
  const machine = { os: "linux", variable: (name: string) => values[name] };
  settings(path, false);
  assert.deepEqual(await refsIn(path, machine), [`claude:${ID}`]);
  settings(path, true);
  const second = join(path, `users/ada/.claude/projects/C--w/${ID}.jsonl`);
  assert.deepEqual(
    await refsIn(path, machine),
    [`claude:${ID}`, `claude-desktop:${ID}`, second].sort(),
  );
  // A Mac has neither.
  assert.deepEqual(await refsIn(path, { ...machine, os: "darwin" }), [`claude:${ID}`]);
});

Deno.test("without a home of its own, an agent's sessions of Windows are its only ones", async () => {
  await using home = await makeHome({
    [`users/ada/.claude/projects/C--w/${ID}.jsonl`]: SMALL,
  });
  settings(home.path, true);
  const values: Record<string, string> = { HOME: join(home.path, "home") };
  const machine = { os: "linux", variable: (name: string) => values[name] };
  assert.deepEqual(await refsIn(home.path, machine), [`claude:${ID}`]);
});

Deno.test("Windows lists the homes of each of WSL's systems", async () => {
  await using home = await makeHome({ "wsl/Ubuntu/home/ada/a": "", "wsl/Debian/home/bo/a": "" });
  const wsl = join(home.path, "wsl");
  const systems = (): string[] => ["Debian", "Ubuntu"];
  assert.deepEqual(otherHomes("windows", { windows_users: "", wsl, systems }), [
    { home: join(wsl, "Debian/home/bo"), os: "linux" },
    { home: join(wsl, "Ubuntu/home/ada"), os: "linux" },
  ]);
  const without = { windows_users: "", wsl, systems: () => [] };
  assert.deepEqual(otherHomes("windows", without), []);
});
