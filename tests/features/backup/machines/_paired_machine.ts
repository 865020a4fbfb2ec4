/** A machine of one user: a home with Claude Code's sessions, and a place that it shares. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sentSessions } from "../../../../lib/features/backup/machines/sent_sessions.ts";
import {
  type MachinesRound,
  syncMachines,
} from "../../../../lib/features/backup/machines/machines_round.ts";
import {
  otherSession,
  placePulled,
} from "../../../../lib/features/backup/machines/place_pulled.ts";
import { leaveKey } from "../../../../lib/features/backup/machines/own_packs.ts";
import { PlaceKey } from "../../../../lib/features/backup/machines/place_key.ts";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { machinePrefix } from "../../../../lib/features/team/objects/object_keys.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { type Library, openLibrary } from "../../../../lib/library/library.ts";

/** The id of the session that these tests have. */
export const ID = "0199a000-1111-4222-8333-444455556666";
export const REF = `claude:${ID}`;

/** Returns a prompt and its answer as Claude Code writes them. */
export function turn(cwd: string, number: number, text: string, id = ID): string {
  const uuid = (half: number) =>
    `00000000-0000-4000-8000-${`${2 * number + half}`.padStart(12, "0")}`;
  const before = number === 0 ? null : uuid(-1);
  const common = (half: number, parent: string | null) => ({
    ...{ parentUuid: parent, isSidechain: false, userType: "external", cwd, sessionId: id },
    ...{ version: "2.1.0", gitBranch: "main", uuid: uuid(half) },
    timestamp: `2026-11-21T10:00:0${(2 * number + half) % 10}.000Z`,
  });
  const prompt = { ...common(0, before), type: "user", message: { role: "user", content: text } };
  const content = [{ type: "text", text: `Answer to ${text}` }];
  const message = { id: `msg_${number}`, type: "message", role: "assistant", model: "m", content };
  const answer = { ...common(1, uuid(0)), type: "assistant", message };
  return `${JSON.stringify(prompt)}\n${JSON.stringify(answer)}\n`;
}

export class PairedMachine {
  readonly name: string;
  readonly device = crypto.randomUUID();
  /** The name that other machines show. @default {its name} */
  label: string;
  readonly home: string;
  readonly root: string;
  /** The project's directory on this machine. */
  readonly project: string;
  readonly place: string;
  #key: PlaceKey;
  /** Opens the place. @default {a folder} */
  open: () => Promise<ObjectStore> = () => Promise.resolve(openFolderStore(this.place));
  /** Name of the user in the place. */
  owner = "me";
  now = new Date();
  /** True while the agent has every session open. */
  is_open = false;
  /** Names of branches that were continued as sessions of their own. */
  readonly continued = new Map<string, number>();

  constructor(folder: string, name: string, secret = new Uint8Array(16)) {
    this.name = name;
    this.label = name;
    this.home = join(folder, name);
    this.root = join(this.home, "store");
    this.project = join(this.home, `code-${name}`);
    this.place = join(folder, "place");
    this.#key = new PlaceKey(secret);
    Deno.mkdirSync(this.project, { recursive: true });
    Deno.mkdirSync(join(this.home, ".claude", "projects"), { recursive: true });
  }

  get library(): Library {
    const variable = (name: string) => name === "HOME" ? this.home : undefined;
    return openLibrary({ root: this.root, variable, cwd: this.project });
  }

  /** Returns the path of Claude Code's file of a session. */
  session(id = ID): string {
    const slug = this.project.replaceAll(/[^A-Za-z0-9]/g, "-");
    return join(this.home, ".claude", "projects", slug, `${id}.jsonl`);
  }

  /** Appends turns to a session, as Claude Code does. */
  say(number: number, text: string, id = ID): void {
    const path = this.session(id);
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.writeTextFileSync(path, turn(this.project, number, text, id), { append: true });
  }

  async sync(check = false): Promise<MachinesRound> {
    const { library } = this;
    await using objects = await this.open();
    const place = { objects, prefix: machinePrefix(this.owner), key: this.#key };
    return await syncMachines({
      ...{ root: this.root, device: this.device, machine: this.label, place },
      environment: library.place.environment,
      findSessions: (placed) =>
        sentSessions(library, [{ project: "app", directory: this.project }], false, placed),
      ...{ now: this.now, check },
      isOpen: () => Promise.resolve(this.is_open),
      isContinued: (name, bytes) => bytes <= (this.continued.get(name) ?? -1),
    });
  }

  /** Takes other words, as `sync words --new` does. */
  async changeWords(secret: Uint8Array): Promise<void> {
    await using objects = await this.open();
    const place = { objects, prefix: machinePrefix(this.owner), key: this.#key };
    await leaveKey(place, this.root, this.device, () => this.#key = new PlaceKey(secret));
  }

  /** Puts another machine's session where Claude Code looks. */
  async placeHere(ref: string): Promise<void> {
    const { library } = this;
    const { session } = await library.open(ref);
    const other = otherSession(this.root, session);
    if (other === undefined) throw new Error(`${ref} is of this machine`);
    await placePulled(this.root, library.place.environment, other, this.project);
  }

  /** Returns the references of all sessions, with the names of other machines. */
  async listed(): Promise<string[]> {
    const { entries } = await this.library.query();
    const rows = await Promise.all(entries.map((entry) => entry.row()));
    return rows.map((row) => row?.machine === undefined ? row?.ref : `${row.ref} on ${row.machine}`)
      .map(String).sort();
  }

  /** Returns the paths of this machine's packs in a folder. */
  packs(): string[] {
    const folder = join(this.place, machinePrefix(this.owner), this.#key.name, this.device);
    if (!existsSync(folder)) return [];
    return [...Deno.readDirSync(folder)].map(({ name }) => join(folder, name));
  }

  /** Returns the bytes of all objects in the place. */
  static bytesIn(folder: string): number {
    let bytes = 0;
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = join(folder, name);
      bytes += isDirectory ? PairedMachine.bytesIn(path) : Deno.statSync(path).size;
    }
    return bytes;
  }
}

/** Begins a session on one machine, and continues it on the other, which sends what it added. */
export async function continueElsewhere(one: PairedMachine, other: PairedMachine): Promise<void> {
  one.say(0, "Hello");
  await one.sync();
  await other.sync();
  await other.placeHere(REF);
  other.say(1, "From the desktop");
  await other.sync();
}
