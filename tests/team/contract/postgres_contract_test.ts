import { initTeamStore } from "../../../lib/team/postgres/init_store.ts";
import { openTeamStore } from "../../../lib/team/postgres/postgres_store.ts";
import { POSTGRES, withPostgres } from "../../_support/postgres.ts";
import { testTeamStore } from "./contract.ts";

testTeamStore({
  name: "PostgreSQL",
  needs: [POSTGRES],
  withPlaces: (test) =>
    withPostgres(async (server) => {
      let made = 0;
      await server.sql("create role ada login password 'pw'; create role ben login password 'pw'");
      await test(async () => {
        const url = await server.database(`team${++made}`);
        await initTeamStore(url);
        await server.sql("grant reprise_member to ada, ben");
        const address = (username: string): string =>
          Object.assign(new URL(url), { username, password: "pw" }).href;
        return { connect: (member) => openTeamStore(address(member)) };
      });
    }),
});
