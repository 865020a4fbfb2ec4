import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../../lib/core/workspace/cache_folder.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { onUnix } from "../../_support/tests_in.ts";

function placeOf(variables: Record<string, string>, os: string): string | undefined {
  const folder = cacheFolder("/no/such/store", (name) => variables[name], os);
  return folder === undefined ? undefined : dirname(folder);
}

onUnix.test("the cache folder is where the variable says, else where the system keeps caches", () => {
  const home = { HOME: "/home/ada" };
  const cases: [Record<string, string>, string, string | undefined][] = [
    [{ ...home, REPRISE_CACHE: "/fast", XDG_CACHE_HOME: "/x" }, "linux", "/fast"],
    [{ ...home, XDG_CACHE_HOME: "/x" }, "linux", "/x/reprise"],
    [{ ...home, REPRISE_CACHE: "", XDG_CACHE_HOME: "" }, "linux", "/home/ada/.cache/reprise"],
    [{ ...home, XDG_CACHE_HOME: "/x" }, "darwin", "/home/ada/Library/Caches/reprise"],
    [{ LOCALAPPDATA: "/local" }, "windows", "/local/reprise/Cache"],
    [{}, "linux", undefined],
    [{}, "darwin", undefined],
    [home, "windows", undefined],
  ];
  for (const [variables, os, wanted] of cases) assert.equal(placeOf(variables, os), wanted);
});

onUnix.test("each data root has a folder of its own, the same by every path and before it exists", async () => {
  await withDirectory((directory) => {
    const folderOf = (root: string): string =>
      cacheFolder(root, (name) => name === "REPRISE_CACHE" ? "/cache" : undefined, "linux") ?? "";
    const root = join(directory, "state", "store");
    Deno.symlinkSync(directory, join(directory, "link"));
    const before = folderOf(root);
    assert.match(before, /^\/cache\/[0-9a-f]{10}$/);
    assert.equal(folderOf(join(directory, "link", "state", "store")), before);
    Deno.mkdirSync(root, { recursive: true });
    assert.equal(folderOf(`${root}/`), before);
    assert.equal(folderOf(join(directory, "link", "state", "store")), before);
    assert.notEqual(folderOf(join(directory, "state", "other")), before);
  });
});
