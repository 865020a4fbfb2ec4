import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { CatalogueOptions } from "../../../../lib/library/catalogue/catalogue_options.ts";
import { factsPath } from "../../../../lib/library/catalogue/facts_file.ts";
import { forgetSessions } from "../../../../lib/library/catalogue/forget_sessions.ts";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { cachedReads } from "../../../../lib/features/team/objects/cached_reads.ts";
import { HEADS } from "../../../../lib/features/team/objects/object_keys.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

const KEY = `${HEADS}ada/one.json`;
const HEAD = new TextEncoder().encode('{"title":"zebrafish"}\n');

/** Reads the head by a connection of its own. Returns its text, and how often the store was asked. */
async function readHead(place: string, kept: CatalogueOptions): Promise<[string, number]> {
  const folder = openFolderStore(place);
  let asked = 0;
  const counted: ObjectStore = {
    list: (prefix) => folder.list(prefix),
    get(key, limit): ReturnType<ObjectStore["get"]> {
      asked++;
      return folder.get(key, limit);
    },
    put: (key, bytes, if_tag) => folder.put(key, bytes, if_tag),
    delete: (key) => folder.delete(key),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
  await using objects = cachedReads(counted, kept, "store");
  await Array.fromAsync(objects.list(HEADS));
  const found = await objects.get(KEY, 1000);
  return [new TextDecoder().decode(found?.bytes), asked];
}

inDirectory.test("a head is asked for once, and again where its copy is damaged or forgotten", async (directory) => {
  const [place, folder] = [join(directory, "store"), join(directory, "cache")];
  Deno.mkdirSync(place);
  await openFolderStore(place).put(KEY, HEAD);
  const text = new TextDecoder().decode(HEAD);
  assert.deepEqual(await readHead(place, {}), [text, 1]);
  assert.deepEqual(await readHead(place, { folder }), [text, 1]);
  assert.deepEqual(await readHead(place, { folder }), [text, 0]);
  const path = factsPath({ folder });
  const database = new DatabaseSync(path);
  database.exec("UPDATE team_object SET bytes = x'7b7d'");
  database.close();
  assert.deepEqual(await readHead(place, { folder }), [text, 1]);
  assert.deepEqual(await readHead(place, { folder }), [text, 0]);
  assert.match(Deno.readTextFileSync(path), /zebrafish/);
  // Its title may be that of the session that was deleted.
  forgetSessions({ folder }, "claude", ["one"]);
  assert.doesNotMatch(Deno.readTextFileSync(path), /zebrafish/);
  assert.deepEqual(await readHead(place, { folder }), [text, 1]);
  await openFolderStore(place).put(KEY, new TextEncoder().encode("{}"));
  assert.deepEqual(await readHead(place, { folder }), ["{}", 1]);
});
