import { openDatabase } from "../../../../lib/features/team/postgres/database_store.ts";
import { makeDatabase } from "../../../_support/database_team.ts";
import { POSTGRES } from "../../../_support/postgres.ts";
import { withTeamServer } from "../../../_support/team_homes.ts";
import { testTeamPlace } from "./contract.ts";

testTeamPlace({
  name: "a database",
  needs: [POSTGRES],
  cuts: [3, 5, 7],
  withPlaces: (test) =>
    withTeamServer(async (newTeam) => {
      await test(async () => {
        const { address, sql } = await newTeam();
        await makeDatabase(address("owner"));
        await sql("grant reprise_member to ann, ben");
        return { open: async (owner) => (await openDatabase(address(owner))).objects };
      });
    }),
});
