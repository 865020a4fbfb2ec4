/** What commands make of an agent's sessions in which every number is one that nothing can hold. */
import { commandLine } from "../../lib/core/platform/shell_word.ts";
import { writeConfigValue } from "../../lib/core/workspace/config_file.ts";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AgentCase } from "./agent_contract.ts";
import { CliHome } from "./cli_home.ts";
import { databaseIn } from "./hostile_database.ts";
import { ALL_TORTURE } from "./torture.ts";

/** A count that doubles to no number, and a time that no date holds. */
const ROUNDS: readonly Hostile[] = [
  { count: "1e308", time: "8640000000000001" },
  ...ALL_TORTURE
    ? [{ count: "-1", time: "1e308" }, { count: '"1000000000000000"', time: '"-1"' }]
    : [],
];

interface Hostile {
  count: string;
  time: string;
}

const LEAST_TIME = 1e9;

/** Replaces the numbers of a JSON text, each by another one. */
function replaced(text: string, hostile: Hostile): string {
  return text.replaceAll(
    /(?<=[:[,]\s*)-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?=\s*[,\]}])/g,
    (number) => Math.abs(Number(number)) < LEAST_TIME ? hostile.count : hostile.time,
  );
}

/** Replaces the numbers in the cells of a database. */
function replacedIn(bytes: Uint8Array, hostile: Hostile): Uint8Array {
  const path = Deno.makeTempFileSync();
  Deno.writeFileSync(path, bytes);
  const database = new DatabaseSync(path);
  const names = (sql: string): string[] =>
    database.prepare(sql).all().map(({ name }) => String(name));
  database.function("changed", (cell) => typeof cell === "string" ? replaced(cell, hostile) : cell);
  database.exec("PRAGMA synchronous = off; PRAGMA journal_mode = memory");
  for (const table of names("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
    for (const column of names(`SELECT name FROM pragma_table_info('${table}')`)) {
      const set = `UPDATE OR IGNORE "${table}" SET "${column}" = `;
      database.exec(`${set} changed("${column}") WHERE json_valid("${column}")`);
      const number = /token|cost|count/i.test(column)
        ? hostile.count
        : /time|_at$/i.test(column)
        ? hostile.time
        : undefined;
      if (number === undefined) continue;
      database.exec(`${set} ${number.replaceAll('"', "'")} WHERE typeof("${column}") <> 'null'`);
    }
  }
  database.close();
  const changed = Deno.readFileSync(path);
  Deno.removeSync(path);
  return changed;
}

/** Asserts that no command fails by a fault of ours. */
export async function assertNumbersHeld(given: AgentCase): Promise<void> {
  const [database] = databaseIn(given) ?? [];
  for (const hostile of ROUNDS) {
    await using home = new CliHome();
    for (const [name, content] of Object.entries(given.files)) {
      const path = join(home.path, name);
      Deno.mkdirSync(dirname(path), { recursive: true });
      const bytes = content instanceof URL ? Deno.readFileSync(content) : content;
      if (name === database) Deno.writeFileSync(path, replacedIn(bytes as Uint8Array, hostile));
      else if (/\.(?:zst|gz|pb)$/.test(name)) Deno.writeFileSync(path, bytes as Uint8Array);
      else Deno.writeTextFileSync(path, replaced(Buffer.from(bytes as string).toString(), hostile));
    }
    const env = Object.fromEntries(
      Object.entries(given.variables ?? {}).map((
        [name, value],
      ) => [name, value.replace(/^~/, home.path)]),
    );
    for (const [name, words] of Object.entries(given.readers?.(home.path) ?? {})) {
      writeConfigValue(home.store, `agents.${name}.reader`, commandLine(words));
    }
    const run = async (...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await home.run(args, { env });
      assert.ok(
        status === 0 || args[0] === "backup" && status < 2,
        `${args.join(" ")} with ${hostile.count}: ${status} ${stderr}`,
      );
      return stdout;
    };
    const listed = await run("list", "--all", "--json");
    await run("stats", "--all");
    await run("backup", "--agent", given.agent.name, "--all");
    const refs = listed.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line).ref);
    for (const ref of ALL_TORTURE ? refs : refs.slice(0, 1)) {
      for (const command of ["show", "import"]) await run(command, ref);
    }
  }
}
