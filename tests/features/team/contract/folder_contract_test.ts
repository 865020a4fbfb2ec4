import { join } from "node:path";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import { cutObjects, spoilObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testTeamStore } from "./contract.ts";

testTeamStore({
  name: "a folder",
  withPlaces: (test) =>
    withDirectory(async (root) => {
      let made = 0;
      await test(async () => {
        const { folder } = await new FolderTeam(join(root, `team ${++made}`)).init();
        return {
          connect: (owner, cut = UNCUT) => {
            const objects = cutObjects(openFolderStore(folder), cut);
            return Promise.resolve(openObjectTeam(objects, { owner, is_late: true }));
          },
          spoil: () => spoilObjects(openFolderStore(folder)),
        };
      });
    }),
});
