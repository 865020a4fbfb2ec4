import assert from "node:assert/strict";
import { join } from "node:path";
import { SiteFolder } from "../../../lib/features/export/site_folder.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

inDirectory.test("a session whose export fails leaves none of its pages in the folder", async (root) => {
  const site = join(root, "site");
  {
    using folder = new SiteFolder(site, true);
    await assert.rejects(
      folder.writeSession("one", "digest", (write) => {
        write("index.html", "half");
        return Promise.reject(new Error("unreadable"));
      }),
      /unreadable/,
    );
  }
  // The lock goes with the run.
  const names = [...Deno.readDirSync(site)].map(({ name }) => name);
  assert.deepEqual(names.sort(), ["search", "sessions", "site.jsonl"]);
  assert.deepEqual([...Deno.readDirSync(join(site, "sessions"))], []);
});
