/** Connects to a team's store, and prints how it went: `connect_team.ts URL [insecure]`. */
import { openTeamStore } from "../../../lib/team/postgres/postgres_store.ts";

const [url = "", insecure] = Deno.args;

async function outcome(): Promise<string> {
  try {
    await using _ = await openTeamStore(url, { insecure: insecure !== undefined });
    return "connected";
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.stdout.writeSync(new TextEncoder().encode(await outcome()));
