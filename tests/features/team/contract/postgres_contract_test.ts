import type { TeamStore } from "../../../../lib/features/team/team_store.ts";
import { makeDatabase, openDatabaseTeam } from "../../../_support/database_team.ts";
import { cuttingProxy } from "../../../_support/cutting_proxy.ts";
import { eventually } from "../../../_support/eventually.ts";
import { POSTGRES, type PostgresServer, withPostgres } from "../../../_support/postgres.ts";
import { testTeamStore } from "./contract.ts";

/** Connects, and lets the connection end only once the server has ended it: a statement may still run. */
async function endedByServer(
  { sql }: PostgresServer,
  connect: () => Promise<TeamStore>,
): Promise<TeamStore> {
  const count = async (): Promise<string> =>
    await sql("select count(*) from pg_stat_activity where usename = 'ada'");
  const before = await count();
  const store = await connect();
  const close = store[Symbol.asyncDispose].bind(store);
  store[Symbol.asyncDispose] = async () => {
    await close();
    await eventually(async () => await count() === before);
  };
  return store;
}

testTeamStore({
  name: "PostgreSQL",
  needs: [POSTGRES],
  withPlaces: (test) =>
    withPostgres(async (server) => {
      await using proxy = cuttingProxy(server.port);
      let made = 0;
      await makeDatabase(await server.database("empty_team"));
      await server.sql(
        "create role ada login password 'pw' in role reprise_member;" +
          "create role ben login password 'pw' in role reprise_member",
      );
      await test(async () => {
        const url = await server.database(`team${++made}`, "empty_team");
        return {
          connect: async (username, cut) => {
            const port = `${cut === undefined ? server.port : proxy.port}`;
            const { href } = Object.assign(new URL(url), { username, password: "pw", port });
            proxy.cut_at = undefined;
            if (cut === undefined) return await openDatabaseTeam(href);
            const store = await endedByServer(server, () => openDatabaseTeam(href));
            proxy.cut_at = cut;
            return store;
          },
          spoil: async () =>
            void await server.sql(
              `update reprise.object set bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 1)
               where key like 'v1/segments/%'`,
              new URL(url).pathname.slice(1),
            ),
        };
      });
    }),
});
