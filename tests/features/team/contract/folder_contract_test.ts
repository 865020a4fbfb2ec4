import { join } from "node:path";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { folderTeam } from "../../../_support/team_member.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testTeamPlace } from "./contract.ts";

testTeamPlace({
  name: "a folder",
  withPlaces: (test) =>
    withDirectory(async (root) => {
      let made = 0;
      await test(async () => {
        const folder = join(root, `team ${++made}`);
        await folderTeam(folder);
        return { open: () => Promise.resolve(openFolderStore(folder)) };
      });
    }),
});
