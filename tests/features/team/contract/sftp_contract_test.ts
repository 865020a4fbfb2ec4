import { join } from "node:path";
import { openSftpStore } from "../../../../lib/features/team/sftp/sftp_store.ts";
import { SFTP, withSshServer } from "../../../_support/sftp.ts";
import { folderTeam } from "../../../_support/team_member.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testTeamPlace } from "./contract.ts";

testTeamPlace({
  name: "a folder behind sftp",
  needs: [SFTP],
  // Each connection logs in, which is slow.
  cuts: [5],
  withPlaces: (test) =>
    withSshServer(({ target }) =>
      withDirectory(async (root) => {
        let made = 0;
        await test(async () => {
          const folder = join(root, `the "team" ${++made}`);
          await folderTeam(folder);
          const place = { target, folder, url: "ssh://test" };
          return { open: () => Promise.resolve(openSftpStore(place)) };
        });
      })
    ),
});
