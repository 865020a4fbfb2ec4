/** Rounds of machines: scenes of `testdata/backup/machines.txt`, and what needs a size or an id. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { filesBelow } from "../../../_support/files_below.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";
import { testsIn } from "../../../_support/tests_in.ts";
import { testScenes } from "../../../_support/told_scenes.ts";
import { ID, PairedMachine, REF, turn } from "./_paired_machine.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OTHER_ID = ID.replace("1111", "2222");
const OTHER_WORDS = new Uint8Array(16).fill(1);

/** The project and the prompts of a file, all of whose bytes are as Claude Code wrote them. */
function promptsIn(path: string): string {
  const text = Deno.readTextFileSync(path);
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  const prompts = lines.flatMap(({ type, message }) => type === "user" ? [message.content] : []);
  const { cwd, sessionId } = lines[0];
  const written = prompts.map((prompt, number) => turn(cwd, number, prompt, sessionId));
  assert.equal(text, written.join(""));
  return `${basename(cwd)}: ${prompts.join(" / ")}`;
}

function bytesIn({ place }: PairedMachine): number {
  return existsSync(place) ? PairedMachine.bytesIn(place) : 0;
}

/** The machines of a scene, each made when a step first names it. */
class Machines {
  readonly #folder: string;
  readonly #all = new Map<string, PairedMachine>();
  /** Bytes of packs as they were sent, by path. */
  readonly #sent = new Map<string, Uint8Array>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Does `MACHINE VERB REST`; the machines' names stand for their ids in what it tells. */
  async play(step: string): Promise<string[]> {
    const [, name = "", verb = "", rest = ""] = /^(\S+) (\S+) ?(.*)$/.exec(step) ?? [];
    const told = await this.#do(this.#machine(name), verb, rest) ?? [];
    return told.map((line) => this.#named(line)).sort();
  }

  #machine(name: string): PairedMachine {
    const machine = this.#all.get(name) ?? new PairedMachine(this.#folder, name);
    this.#all.set(name, machine);
    return machine;
  }

  #named(line: string): string {
    for (const { device, name } of this.#all.values()) {
      line = line.replaceAll(device.slice(0, 8), `<${name}>`);
      line = line.replaceAll(`vm-${device.slice(0, 4)}`, `vm-<${name}>`);
    }
    return line.replaceAll(this.#folder, "DIR");
  }

  async #do(machine: PairedMachine, verb: string, rest: string): Promise<string[] | void> {
    const path = machine.session();
    switch (verb) {
      case "is-called":
        machine.label = rest;
        break;
      case "says":
        return this.#say(machine, rest, ID);
      case "says-elsewhere":
        return this.#say(machine, rest, OTHER_ID);
      case "rewrites":
        return Deno.writeTextFileSync(path, turn(machine.project, 0, rest));
      case "deletes":
        return Deno.removeSync(path);
      case "hides":
        return Deno.renameSync(path, `${path}.hidden`);
      case "brings-back":
        return Deno.renameSync(`${path}.hidden`, path);
      case "forgets":
        return Deno.removeSync(join(machine.root, "machines", "own.json"));
      case "has-open":
        machine.is_open = rest === "yes";
        break;
      case "waits":
        machine.now = new Date(Date.now() + Number(rest) * DAY_MS);
        break;
      case "changes-words":
        return await machine.changeWords(OTHER_WORDS);
      case "finds-packs":
        return machine.packs().map((pack) => this.#find(pack, rest));
      case "syncs":
        return await this.#sync(machine);
      case "checks":
        return await this.#sync(machine, true);
      case "places":
        return await machine.placeHere(rest);
      case "lists":
        return await machine.listed();
      case "reads":
        return [promptsIn(path)];
      case "reads-earlier":
        return [promptsIn(this.#earlier(machine, this.#machine(rest)))];
      case "opens":
        return await this.#open(machine, rest);
      case "continues": {
        const branch = await machine.library.open(rest);
        machine.continued.set(rest, Deno.statSync(branch.path).size);
        break;
      }
      default:
        throw new Error(`no such step: ${verb}`);
    }
  }

  #say(machine: PairedMachine, text: string, id: string): void {
    const path = machine.session(id);
    const turns = existsSync(path) ? Deno.readTextFileSync(path).split("\n").length >> 1 : 0;
    machine.say(turns, text, id);
  }

  /** Syncs; a round that sends nothing changes nothing in the place. */
  async #sync(machine: PairedMachine, check = false): Promise<string[]> {
    const before = bytesIn(machine);
    const { pushed, received, shown, ...round } = await machine.sync(check);
    const after = bytesIn(machine);
    if (pushed.bytes === 0) assert.equal(after, before);
    const lists = { ...round, shown: shown.map(({ ref, project }) => `${ref} in ${project}`) };
    const told = Object.entries(lists).filter(([, list]) => list.length > 0);
    return [
      ...pushed.bytes > 0 || pushed.sessions > 0 ? [`sent ${pushed.sessions}`] : [],
      ...pushed.is_lost ? ["sent what was lost"] : [],
      ...received > 0 ? ["received"] : [],
      ...told.map(([name, list]) => {
        const rows = list.map((one) => this.#named(JSON.stringify(one)));
        return `${name} ${rows.sort().join(" ")}`;
      }),
    ];
  }

  /** Damages a pack, or puts it back. */
  #find(pack: string, state: string): string {
    const bytes = this.#sent.get(pack) ?? Deno.readFileSync(pack);
    this.#sent.set(pack, bytes);
    if (state === "lost") Deno.removeSync(pack);
    else if (state === "cut") Deno.truncateSync(pack, 40);
    else if (state === "short") Deno.truncateSync(pack, bytes.length - 1);
    else if (state === "back") Deno.writeFileSync(pack, bytes);
    else Deno.writeFileSync(pack, bytes.map((byte, at) => at === 20 ? byte ^ 1 : byte));
    return state;
  }

  #earlier({ root }: PairedMachine, other: PairedMachine): string {
    const name = other.session().slice(join(other.home, ".claude").length);
    return join(root, "machines", "pulled", other.device, "earlier", "1", "claude", name);
  }

  async #open(machine: PairedMachine, ref: string): Promise<string[]> {
    const handle = await machine.library.open(ref);
    const { messages } = await handle.conversation();
    const said = messages.flatMap(({ role, content }) => role === "user" ? [content] : []);
    const prompts = promptsIn(handle.path);
    assert.ok(prompts.endsWith(said.join(" / ")), `${said}`);
    const place = handle.path === machine.session() ? "here" : "elsewhere";
    return [`${handle.ref} ${place}, ${prompts}`];
  }
}

const inMachines = testsIn<Machines>((test) =>
  withDirectory((folder) => test(new Machines(folder)))
);

// Slow: each of these tests makes machines with databases of their own.
testScenes(
  new URL("../../../../testdata/backup/machines.txt", import.meta.url),
  inMachines,
  (machines, step) => machines.play(step),
);

inDirectory.test("one line more of a long session sends little", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  for (let number = 0; number < 800; number++) a.say(number, `${number} `.repeat(60));
  const { size } = Deno.statSync(a.session());
  assert.ok(size > 800_000, `${size}`);
  await a.sync();
  const before = PairedMachine.bytesIn(a.place);
  a.say(800, "One line more");
  const { pushed } = await a.sync();
  assert.equal(pushed.bytes, PairedMachine.bytesIn(a.place) - before);
  assert.ok(pushed.bytes < 1500, `${pushed.bytes}`);
});

inDirectory.test("nothing in the place tells a text, a path or an id", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  a.say(0, "the pin is 4711");
  await a.sync();
  const decoder = new TextDecoder("latin1");
  const texts = filesBelow(a.place).flatMap((path) => [
    path.slice(a.place.length),
    decoder.decode(Deno.readFileSync(path)),
  ]);
  assert.ok(texts.length >= 2);
  assert.doesNotMatch(texts.join("\n"), new RegExp(`4711|${ID}|laptop|code-|claude`));
});

// Slow: 70 rounds of one machine.
inDirectory.test("small packs are joined, and a machine in their middle goes on", async (folder) => {
  const [a, b] = [new PairedMachine(folder, "laptop"), new PairedMachine(folder, "desktop")];
  const texts: string[] = [];
  for (let number = 0; number < 66; number++) {
    a.say(number, `Line ${number}`);
    texts.push(turn(a.project, number, `Line ${number}`));
    await a.sync();
    if (number === 20) await b.sync();
  }
  assert.equal(a.packs().length, 3);
  await b.sync();
  const c = new PairedMachine(folder, "tower");
  await c.sync();
  for (const machine of [b, c]) {
    const [row] = await machine.library.sessions({});
    assert.equal(Deno.readTextFileSync(row?.path ?? ""), texts.join(""));
  }
});

inDirectory.test("a machine that moved to another place, or got another id, sends all there", async (folder) => {
  const a = new PairedMachine(folder, "laptop");
  a.say(0, "Hello");
  await a.sync();
  const moved = new PairedMachine(folder, "laptop", OTHER_WORDS);
  const renamed = new PairedMachine(folder, "laptop", OTHER_WORDS);
  const b = new PairedMachine(folder, "desktop", OTHER_WORDS);
  for (const machine of [moved, renamed]) assert.equal((await machine.sync()).pushed.sessions, 1);
  assert.equal((await renamed.sync()).pushed.bytes, 0);
  await b.sync();
  const names = [moved, renamed].map(({ device }) => `${REF} on laptop-${device.slice(0, 4)}`);
  const listed = await b.listed();
  assert.equal(listed.length, 1);
  assert.ok(names.includes(listed[0] ?? ""), `${listed}`);
});
