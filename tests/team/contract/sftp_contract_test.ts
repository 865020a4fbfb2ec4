import { join } from "node:path";
import { openFolderStore } from "../../../lib/team/folder/folder_store.ts";
import { initObjects } from "../../../lib/team/objects/init_objects.ts";
import { openObjectTeam } from "../../../lib/team/objects/object_team_store.ts";
import { cachedReads } from "../../../lib/team/objects/cached_reads.ts";
import { openSftpStore } from "../../../lib/team/sftp/sftp_store.ts";
import type { ObjectStore } from "../../../lib/team/objects/object_store.ts";
import { cutObjects, spoilObjects, UNCUT } from "../../_support/cut_objects.ts";
import { SFTP, withSshServer } from "../../_support/sftp.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testTeamStore } from "./contract.ts";

testTeamStore({
  name: "a folder behind sftp, with what was read before",
  needs: [SFTP],
  withPlaces: (test) =>
    withSshServer(({ target }) =>
      withDirectory(async (root) => {
        let made = 0;
        await test(async () => {
          const folder = join(root, `the "team" ${++made}`);
          const open = (): ObjectStore => openSftpStore({ target, folder, url: "ssh://test" });
          await using objects = open();
          await initObjects(objects, { owner: "ada" });
          return {
            connect: (member, cut = UNCUT) => {
              const cached = cachedReads(
                cutObjects(open(), cut),
                join(root, `cache of ${member} ${made}`),
              );
              return Promise.resolve(openObjectTeam(cached, { owner: member }));
            },
            spoil: () => spoilObjects(openFolderStore(folder)),
          };
        });
      })
    ),
});
