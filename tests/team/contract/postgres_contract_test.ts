import { initTeamStore } from "../../../lib/team/postgres/init_store.ts";
import { openTeamStore } from "../../../lib/team/postgres/postgres_store.ts";
import { cuttingProxy } from "../../_support/cutting_proxy.ts";
import { POSTGRES, withPostgres } from "../../_support/postgres.ts";
import { testTeamStore } from "./contract.ts";

testTeamStore({
  name: "PostgreSQL",
  needs: [POSTGRES],
  withPlaces: (test) =>
    withPostgres(async (server) => {
      await using proxy = cuttingProxy(server.port);
      let made = 0;
      await server.sql("create role ada login password 'pw'; create role ben login password 'pw'");
      await test(async () => {
        const url = await server.database(`team${++made}`);
        await initTeamStore(url);
        await server.sql("grant reprise_member to ada, ben");
        return {
          connect: async (username, cut) => {
            const port = `${cut === undefined ? server.port : proxy.port}`;
            const { href } = Object.assign(new URL(url), { username, password: "pw", port });
            proxy.cut_at = undefined;
            const store = await openTeamStore(href);
            proxy.cut_at = cut;
            return store;
          },
          spoil: async () =>
            void await server.sql(
              "update reprise.segment set bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1)",
              new URL(url).pathname.slice(1),
            ),
        };
      });
    }),
});
