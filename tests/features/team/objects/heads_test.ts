import assert from "node:assert/strict";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { listHeads, readHead, writeHead } from "../../../../lib/features/team/objects/heads.ts";
import { headKey } from "../../../../lib/features/team/objects/object_keys.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

const PLACE = {
  ...{ owner: "ann", device: "11111111-1111-4111-8111-111111111111", project: "example.org/app" },
  machine: "laptop",
};
const KEY = headKey(PLACE);

Deno.test("changes of a head have sizes of their own: a host may list only the minute", async () => {
  await withDirectory(async (folder) => {
    await using objects = openFolderStore(folder);
    const sizes = new Set<number | undefined>();
    for (let part = 0; part < 32; part++) {
      await writeHead(objects, PLACE, [`${part * part}`]);
      sizes.add((await objects.get(KEY, 1 << 20))?.bytes.length);
    }
    assert.equal(sizes.size, 32);
    assert.equal((await readHead(objects, KEY))?.parts, 1);
  });
});

Deno.test("a head takes the place of an object that is too large for one", async () => {
  await withDirectory(async (folder) => {
    await using objects = openFolderStore(folder);
    await objects.put(KEY, new Uint8Array(100_000));
    assert.equal((await listHeads(objects)).size, 1);
    await writeHead(objects, PLACE, ["1"]);
    assert.equal((await readHead(objects, KEY))?.machine, "laptop");
  });
});
