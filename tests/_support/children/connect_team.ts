/**
 * Connects to a team's store once for each pair of a URL and variables, and prints how it went, in a
 * line each: `connect_team.ts JSON`.
 */
import { openDatabase } from "../../../lib/features/team/postgres/database_store.ts";

async function outcome(url: string): Promise<string> {
  try {
    await using _ = (await openDatabase(url)).objects;
    return "connected";
  } catch (error) {
    return (error as Error).message;
  }
}

for (const [url, env] of JSON.parse(Deno.args[0] ?? "[]")) {
  Deno.env.delete("PGPASSWORD");
  for (const [name, value] of Object.entries<string>(env)) Deno.env.set(name, value);
  Deno.stdout.writeSync(new TextEncoder().encode(`${await outcome(url)}\n`));
}
