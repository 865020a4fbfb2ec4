/**
 * A day of two machines, whose `sync PLACE` is killed again and again: both are equal at its end.
 * Slow: each round starts the program twice and kills it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { turn } from "../features/backup/machines/_paired_machine.ts";
import { cliProcess } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { filesBelow } from "../_support/files_below.ts";
import { LateFolders } from "../_support/late_folders.ts";
import { needing, UNIX } from "../_support/needing.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { type Random, seededRandom } from "./_random.ts";

const KILLS = 20;
const SEED = 20261130;
/** Number of changes of files after which a sync is killed at the latest. */
const MOST_CHANGES = 24;
const FLAGS = ["--yes", "--once"];

/** A home with Claude Code's sessions, and its own copy of the place. */
class Machine extends CliHome {
  readonly place: string;
  readonly project: string;
  readonly #words: string;
  /** The bytes of each session, by its id, with `DIR` for the project's directory. */
  readonly said = new Map<string, string>();

  constructor(folder: string, name: string) {
    super();
    this.place = join(folder, name);
    this.#words = join(folder, "words");
    this.project = join(this.path, name, "app");
    for (const path of [this.place, this.store, this.project, join(this.path, ".claude")]) {
      Deno.mkdirSync(path, { recursive: true });
    }
  }

  session(id: string): string {
    const slug = this.project.replaceAll(/[^A-Za-z0-9]/g, "-");
    return join(this.path, ".claude", "projects", slug, `${id}.jsonl`);
  }

  say(number: number, text: string, id: string): void {
    const path = this.session(id);
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.writeTextFileSync(path, turn(this.project, number, text, id), { append: true });
    this.said.set(id, (this.said.get(id) ?? "") + turn("DIR", number, text, id));
  }

  async sync(): Promise<string> {
    const args = ["sync", this.place, "--words", this.#words, ...FLAGS];
    const { status, stderr } = await this.run(args, { cwd: this.project });
    assert.equal(status, 0, stderr);
    return stderr;
  }

  /** Kills a sync after some changes of files. @returns False if it ended before. */
  async killSync(changes: number): Promise<boolean> {
    const watched = [join(this.store, "machines"), this.place];
    const watcher = Deno.watchFs(watched);
    const args = ["sync", this.place, ...FLAGS];
    const child = cliProcess(args, { home: this.path, cwd: this.project }).spawn();
    const ended = child.output();
    // The watch ends with the process: its last change may be told before the process ends.
    let is_watching = true;
    const last = ended.then(() => {
      if (is_watching) watcher.close();
      is_watching = false;
    });
    let left = changes;
    for await (const { kind } of watcher) {
      if (kind === "access" || --left > 0) continue;
      if (is_watching) killIfRunning(child);
      break;
    }
    // Leaving the loop closes the watch.
    is_watching = false;
    await last;
    const { signal, success, stderr } = await ended;
    assert.ok(success || signal === "SIGKILL", new TextDecoder().decode(stderr));
    return signal === "SIGKILL";
  }

  /** Lets the next sync compare the place with the ledger, as on another day. */
  nextDay(): void {
    const path = join(this.store, "machines", "own.json");
    const ledger = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...ledger, checked: "2026-01-01" }));
  }

  async listed(): Promise<Map<string, string>> {
    const { stdout } = await this.succeed(["list", "--all", "--json"], { cwd: this.project });
    const rows: { session_id: string; path: string }[] = stdout.trim().split("\n").filter(Boolean)
      .map((line) => JSON.parse(line));
    const text = (path: string): string =>
      Deno.readTextFileSync(path).replaceAll(/"cwd":"[^"]*"/g, '"cwd":"DIR"');
    return new Map(rows.map(({ session_id, path }) => [session_id, text(path)]));
  }
}

function killIfRunning(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // It has ended meanwhile.
    if (!(error instanceof TypeError)) throw error;
  }
}

function idOf(side: number, session: number): string {
  return `0199a000-${side}${session}11-4222-8333-444455556666`;
}

/** Loses one of a machine's packs, or the end of one. */
function damage({ place }: Machine, random: Random): void {
  const packs = filesBelow(place).filter((path) => path.endsWith(".pack"));
  const pack = packs[random(packs.length)];
  if (pack === undefined) return;
  if (random(2) === 0) Deno.removeSync(pack);
  else Deno.truncateSync(pack, random(Deno.statSync(pack).size));
}

// Slow: each kill is one of a process of the program.
Deno.test(
  needing("two machines are equal after a day of killed syncs, late, cut and lost files", UNIX),
  async () => {
    await withDirectory(async (folder) => {
      const random = seededRandom(SEED);
      await using a = new Machine(folder, "laptop");
      await using b = new Machine(folder, "desktop");
      const machines = [a, b];
      const places = new LateFolders([a.place, b.place], () => random(1000) / 1000);
      for (const [side, machine] of machines.entries()) machine.say(0, "Hello", idOf(side, 0));
      await a.sync();
      places.deliverAll();
      await b.sync();
      let killed = 0;
      const rounds = roundsOf(KILLS, 4);
      for (let round = 0; round < rounds; round++) {
        const side = round % 2;
        const machine = machines[side] ?? a;
        machine.say(round + 1, `round ${round}`, idOf(side, random(3)));
        if (await machine.killSync(1 + random(MOST_CHANGES))) killed++;
        places.deliverSome();
        if (random(3) === 0) damage(machines[random(2)] ?? a, random);
      }
      assert.ok(killed > rounds / 3, `${killed} of ${rounds}`);
      const deleted = idOf(0, 0);
      Deno.removeSync(a.session(deleted));
      for (let day = 0; day < 3; day++) {
        for (const machine of machines) {
          machine.nextDay();
          await machine.sync();
          places.deliverAll();
        }
      }
      const said = new Map([...a.said, ...b.said].filter(([id]) => id !== deleted));
      for (const machine of machines) {
        const listed = await machine.listed();
        assert.deepEqual([...listed.keys()].sort(), [...said.keys()].sort());
        for (const [id, text] of said) assert.equal(listed.get(id), text, id);
        assert.match(await machine.sync(), /^Nothing new/);
      }
    });
  },
);
