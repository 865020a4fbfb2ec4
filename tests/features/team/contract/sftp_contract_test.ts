import { join } from "node:path";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { initObjects } from "../../../../lib/features/team/objects/init_objects.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import { cachedReads } from "../../../../lib/features/team/objects/cached_reads.ts";
import { openSftpStore } from "../../../../lib/features/team/sftp/sftp_store.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { cutObjects, spoilObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { SFTP, withSshServer } from "../../../_support/sftp.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testTeamStore } from "./contract.ts";

/** A part of a store of objects. It stays open when a connection to it is closed: a login is slow. */
function partOf(objects: ObjectStore, folder: string): ObjectStore {
  return {
    async *list(prefix): ReturnType<ObjectStore["list"]> {
      for await (const page of objects.list(folder + prefix)) {
        yield page.map((one) => ({ ...one, key: one.key.slice(folder.length) }));
      }
    },
    get: (key, limit) => objects.get(folder + key, limit),
    put: (key, bytes, if_tag) => objects.put(folder + key, bytes, if_tag),
    delete: (key) => objects.delete(folder + key),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

testTeamStore({
  name: "a folder behind sftp, with what was read before",
  needs: [SFTP],
  cuts: [4, 6],
  withPlaces: (test) =>
    withSshServer(({ target }) =>
      withDirectory(async (root) => {
        const folder = join(root, 'the "team"');
        const open = (): ObjectStore => openSftpStore({ target, folder, url: "ssh://test" });
        // Two devices that do something at once have a connection each.
        await using one = open();
        await using other = open();
        let [made, connected] = [0, 0];
        await test(async () => {
          const part = `${++made}/`;
          await initObjects(partOf(one, part), { owner: "ada" });
          return {
            connect: (member, cut = UNCUT) => {
              const objects = partOf(connected++ % 2 === 0 ? one : other, part);
              const cache = join(root, `cache of ${member} ${made}`);
              const cached = cachedReads(cutObjects(objects, cut), { folder: cache }, "");
              return Promise.resolve(openObjectTeam(cached, { owner: member }));
            },
            spoil: () => spoilObjects(openFolderStore(join(folder, part))),
          };
        });
      })
    ),
});
