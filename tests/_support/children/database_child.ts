/**
 * Has a database open that it has written to, until a byte comes; in a transaction with the journal
 * `delete`. Arguments: path, journal. Says `ready`.
 */
import { DatabaseSync } from "node:sqlite";

function hold(path: string, journal: string): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode=${journal}; PRAGMA wal_autocheckpoint=0`);
  database.exec("PRAGMA cache_size=1; CREATE TABLE t(x); INSERT INTO t VALUES ('kept')");
  if (journal === "delete") {
    database.exec("BEGIN");
    const insert = "INSERT INTO t VALUES ('lost, as never committed')";
    for (let row = 0; row < 2000; row++) database.exec(insert);
  }
  Deno.stdout.writeSync(new TextEncoder().encode("ready\n"));
  Deno.stdin.readSync(new Uint8Array(1));
}

if (import.meta.main) hold(Deno.args[0] ?? "", Deno.args[1] ?? "");
