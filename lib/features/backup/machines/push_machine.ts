/** Sends the bytes that this machine's sessions gained, as packs of records. */
import { SessionError } from "../../../core/event/session_error.ts";
import { present } from "../../../core/event/present.ts";
import { isThere } from "../../../core/file/presence.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { type NamedPart, namedParts } from "../bundle/session_parts.ts";
import { growthParts } from "./growth_records.ts";
import { beginLedger, checkPacks, JOINED, joinPacks } from "./own_packs.ts";
import { Outbox, type SendingMachine } from "./outbox.ts";
import type { OwnFile, OwnLedger, OwnStream } from "./own_streams.ts";
import { listPacks, type MachinePlace, packKey } from "./packs.ts";
import { adoptPlaced } from "./placed_streams.ts";
import { PACK_BYTES, type StreamFacts, type StreamRecord } from "./stream_record.ts";

export interface SentSession {
  entry: Pick<SessionEntry, "ref" | "session" | "state" | "cwd" | "open" | "row">;
  /** Name of the project, the same on every machine; absent if there is no project. */
  project?: string;
  top?: string;
}

export interface PushedMachine {
  /** Number of sessions that were sent or had grown. */
  sessions: number;
  /** Number of bytes that the push wrote to the sync place, all packs included. */
  bytes: number;
  /** Number of sessions that have no files of their own, as in a database. */
  left_out: number;
  /** True if the sync place had lost bytes of this machine, so that everything was sent again. */
  is_lost: boolean;
}

export interface MachinePushPlan extends SendingMachine {
  place: MachinePlace;
  environment: AgentEnvironment;
  sessions: readonly SentSession[];
  /** True to compare the sync place with what was sent, even if this was done today. */
  check?: boolean;
  now?: Date;
}

/**
 * Sends new sessions, and new bytes of known sessions. Sessions that another machine began are sent
 * from any directory.
 *
 * @throws {SessionError} The errors of the sync place; `changed` if another machine writes under
 * this machine's id
 */
export async function pushMachine(
  plan: MachinePushPlan,
  ledger: OwnLedger,
): Promise<PushedMachine> {
  const { place, now = new Date() } = plan;
  const is_lost = await checkPacks(place, plan, ledger, now, plan.check);
  const is_new = ledger.last === 0;
  if (is_new && Object.keys(ledger.streams).length === 0) {
    await beginLedger(place, plan.device, ledger);
  }
  const push = new MachinePush(plan, ledger);
  await push.run();
  if (is_new && ledger.last > 0) await removeEpochs(plan, ledger);
  // Each machine joins packs only now and then, and only after it has sent something.
  const is_due = push.pushed.bytes > 0 && ledger.last % JOINED === 0;
  if (is_due) push.pushed.bytes += await joinPacks(place, plan, ledger);
  return { ...push.pushed, is_lost };
}

/** Removes this machine's packs of earlier epochs, once a new epoch has sent everything again. */
async function removeEpochs(
  { place, device }: MachinePushPlan,
  { epoch }: OwnLedger,
): Promise<void> {
  for (const number of (await listPacks(place)).get(device) ?? []) {
    if (number.epoch < epoch) await place.objects.delete(packKey(place, device, number));
  }
}

type Row = Pick<StreamFacts, "cwd" | "created_at">;

class MachinePush {
  readonly #plan: MachinePushPlan;
  readonly #ledger: OwnLedger;
  readonly #outbox: Outbox;
  #records: StreamRecord[] = [];
  #waiting = 0;
  readonly #seen = new Set<string>();
  readonly pushed: Omit<PushedMachine, "is_lost"> = { sessions: 0, bytes: 0, left_out: 0 };

  constructor(plan: MachinePushPlan, ledger: OwnLedger) {
    this.#plan = plan;
    this.#ledger = ledger;
    this.#outbox = new Outbox(plan.place, plan, ledger);
  }

  async run(): Promise<void> {
    await this.#outbox.sendLeft();
    const placed = adoptPlaced(this.#plan.root, this.#ledger);
    for (const { entry: { ref } } of this.#plan.sessions) this.#seen.add(ref);
    const changed = this.#plan.sessions.filter(({ entry }) => this.#mayHaveGrown(entry));
    // All rows are requested together, so that the catalogue is opened once.
    const rows = await Promise.all(changed.map(({ entry }) => entry.row()));
    for (const [index, sent] of changed.entries()) {
      try {
        await this.#add(sent, rows[index]);
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        if (error.code !== "unsupported-source" && error.code !== "not-found") throw error;
        this.pushed.left_out++;
      }
    }
    for (const [ref, stream] of Object.entries(this.#ledger.streams)) {
      if (!this.#seen.has(ref)) this.#addGone(stream);
    }
    await this.#flush(placed.length > 0);
    // An empty pack reports this machine's name to the others, and that the sync place is in use.
    if (this.#ledger.last === 0) await this.#outbox.send([]);
    for (const path of placed) removeQuietly(path);
    this.pushed.bytes = this.#outbox.sent;
  }

  #mayHaveGrown(entry: SentSession["entry"]): boolean {
    const known = this.#ledger.streams[entry.ref];
    const state = stateOf(entry);
    return state === "" || known?.state !== state || isOwed(known) || known.gone === true;
  }

  async #add({ entry, project, top }: SentSession, known_row: Row | undefined): Promise<void> {
    const known = this.#ledger.streams[entry.ref];
    const session = await entry.open();
    const row = known_row ?? await session.summary();
    const { parts, folder, cwd_folder } = await namedParts(session, this.#plan.environment, row);
    const facts = known?.facts ?? factsOf(row, session, present({ project, top, cwd_folder }));
    const stream = known ?? { facts, root: folder, state: "", files: {} };
    this.#ledger.streams[entry.ref] = stream;
    let sent = this.#addBack(stream);
    for (const part of parts) sent = await this.#addFile(stream, part) || sent;
    stream.state = stateOf(entry);
    if (sent) this.pushed.sessions++;
  }

  #addGone(stream: OwnStream): void {
    const [main] = Object.values(stream.files);
    // Without the agent's folder, as on a disk that is not mounted, nothing is known.
    const is_there = main === undefined || isThere(main.path) || !isThere(stream.root);
    const is_known = stream.was_sent || main !== undefined && main.sent > 0;
    if (stream.gone || is_there || !is_known) return;
    stream.gone = true;
    this.#records.push(emptyRecord(stream, { gone: true }));
  }

  #addBack(stream: OwnStream): boolean {
    if (!stream.gone) return false;
    delete stream.gone;
    this.#records.push(emptyRecord(stream));
    return true;
  }

  async #addFile({ facts, files, move, ...stream }: OwnStream, part: NamedPart): Promise<boolean> {
    const name = nameInStream(part.name, facts.cwd_folder, stream.cwd_folder);
    const kind = part.kind === "snapshot" ? "snapshot" : "session";
    let sent = false;
    const known = files[name] ?? newFile(part.path, kind, this.#ledger.first_generation);
    for (const { file, bytes, ...place } of growthParts({ ...known, path: part.path }, move)) {
      const head = { ...facts, ...place, name, kind, bytes: bytes.length } as const;
      this.#records.push({ head, bytes });
      this.#waiting += bytes.length;
      files[name] = file;
      sent = true;
      if (this.#waiting >= PACK_BYTES) await this.#flush();
    }
    return sent;
  }

  async #flush(is_changed = false): Promise<void> {
    const records = this.#records;
    if (records.length === 0 && !is_changed) return;
    [this.#records, this.#waiting] = [[], 0];
    if (records.length > 0) await this.#outbox.send(records);
    else this.#outbox.keep();
  }
}

function emptyRecord({ facts, files }: OwnStream, more: { gone?: true } = {}): StreamRecord {
  const [[name, file] = ["", newFile("", "session")]] = Object.entries(files);
  const { kind, generation, sent: at } = file;
  return {
    head: { ...facts, name, kind, generation, at, bytes: 0, ...more },
    bytes: new Uint8Array(),
  };
}

/** True if the next push must report bytes of other machines, or send all own bytes again. */
function isOwed({ files }: OwnStream): boolean {
  return Object.values(files).some(({ common, waits, again }) =>
    again || (common !== undefined && !waits)
  );
}

function stateOf({ state }: SentSession["entry"]): string {
  if (state === undefined) return "";
  const { size, mtime, ctime, ino, others } = state;
  return [size, mtime, ctime, ino, others].join(" ");
}

function factsOf(
  { cwd, created_at }: Row,
  { agent, id }: SessionHandle,
  known: Pick<StreamFacts, "project" | "top" | "cwd_folder">,
): StreamFacts {
  return present({ agent, id, cwd, created_at, ...known });
}

/** Returns a file's name on the machine that began the session. */
function nameInStream(name: string, origin: string | undefined, here: string | undefined): string {
  if (origin === undefined || here === undefined || !name.startsWith(`${here}/`)) return name;
  return `${origin}${name.slice(here.length)}`;
}

function newFile(path: string, kind: OwnFile["kind"], generation = 1): OwnFile {
  const copy = { bytes: 0, crc: 0, mark: 0, mtime: 0, ctime: 0, ino: 0, seen: 0 };
  return { path, kind, generation, sent: 0, ...copy };
}
