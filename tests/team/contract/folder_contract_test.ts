import { join } from "node:path";
import { FolderTeam } from "../../_support/folder_team.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testTeamStore } from "./contract.ts";

testTeamStore({
  name: "a folder",
  withPlaces: (test) =>
    withDirectory(async (folder) => {
      let made = 0;
      await test(async () => {
        const team = await new FolderTeam(join(folder, `team ${++made}`)).init();
        return { connect: (member) => Promise.resolve(team.connect(member)) };
      });
    }),
});
