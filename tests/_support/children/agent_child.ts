/**
 * Writes as a running agent does: each line that comes is a statement for a database in WAL mode, or
 * a record for a file. Arguments: `database` or `file`, path. Says `ready`, then `written` each time.
 */
import { createInterface } from "node:readline";
import { stdin } from "node:process";
import { DatabaseSync } from "node:sqlite";

function writerOf(kind: string, path: string): (line: string) => void {
  if (kind === "file") {
    return (line) => Deno.writeTextFileSync(path, `${line}\n`, { append: true });
  }
  const database = new DatabaseSync(path);
  // As long as an agent runs, its newest rows may be in the WAL alone.
  database.exec("PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0");
  return (line) => database.exec(line);
}

async function run(kind: string, path: string): Promise<void> {
  const write = writerOf(kind, path);
  const say = (word: string): number =>
    Deno.stdout.writeSync(new TextEncoder().encode(`${word}\n`));
  say("ready");
  for await (const line of createInterface({ input: stdin })) {
    write(line);
    say("written");
  }
}

if (import.meta.main) await run(Deno.args[0] ?? "", Deno.args[1] ?? "");
