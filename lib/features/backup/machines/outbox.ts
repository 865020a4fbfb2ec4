/**
 * Sends packs. Each pack is first written to this machine's disk and counted in the ledger of sent
 * bytes. After a kill, the next push sends the pack from the disk. So no bytes are duplicated or
 * left out.
 */
import { join } from "node:path";
import { equalBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { isThere } from "../../../core/file/presence.ts";
import { openRegularFile } from "../../../core/file/regular_file.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { machinesFolder, type OwnLedger, writeLedger } from "./own_streams.ts";
import { type MachinePlace, packKey } from "./packs.ts";
import { encodePack, type StreamRecord } from "./stream_record.ts";

export interface SendingMachine {
  root: string;
  /** The device's id, a UUID. */
  device: string;
  machine: string;
}

export class Outbox {
  readonly #place: MachinePlace;
  readonly #from: SendingMachine;
  readonly #ledger: OwnLedger;
  readonly #folder: string;
  sent = 0;

  constructor(place: MachinePlace, from: SendingMachine, ledger: OwnLedger) {
    this.#place = place;
    this.#from = from;
    this.#ledger = ledger;
    this.#folder = join(machinesFolder(from.root), "outbox");
  }

  async sendLeft(): Promise<void> {
    if (!isThere(this.#folder)) return;
    const names = [...readDirSync(this.#folder)].map(({ name }) => name);
    const numbers = names.map(Number).sort((one, other) => one - other);
    for (const number of numbers) {
      const path = join(this.#folder, `${number}`);
      // The ledger does not count this pack, so a later pack sends its bytes.
      if (!(number <= this.#ledger.last)) removeQuietly(path);
      else await this.#send(number, bytesOf(path));
    }
  }

  /** Sends records as the next pack. The caller must first count their bytes in the `OwnLedger`. */
  async send(records: readonly StreamRecord[]): Promise<void> {
    const { machine, root } = this.#from;
    const number = ++this.#ledger.last;
    const object = this.#key(number).slice(this.#place.prefix.length);
    const packed = encodePack({ machine, records: [...records] });
    const bytes = this.#place.key.seal(object, packed);
    makeDirectories(this.#folder);
    replaceFile(join(this.#folder, `${number}`), [bytes]);
    if (this.#ledger.size !== undefined) this.#ledger.size += bytes.length;
    writeLedger(root, this.#ledger);
    await this.#send(number, bytes);
  }

  keep(): void {
    writeLedger(this.#from.root, this.#ledger);
  }

  async #send(number: number, bytes: Uint8Array): Promise<void> {
    const { objects } = this.#place;
    const key = this.#key(number);
    if (await objects.put(key, bytes, null) === undefined) {
      const there = await objects.get(key, bytes.length);
      if (there === undefined || !equalBytes(there.bytes, bytes)) throw copiedHome();
    }
    this.sent += bytes.length;
    removeQuietly(join(this.#folder, `${number}`));
  }

  #key(number: number): string {
    const { epoch } = this.#ledger;
    return packKey(this.#place, this.#from.device, { epoch, from: number, to: number });
  }
}

function bytesOf(path: string): Uint8Array {
  const { file, info } = openRegularFile(path, { follow: false, what: "pack" });
  using _closed = file;
  return readWhole(file, new Uint8Array(info.size));
}

function copiedHome(): SessionError {
  const message = "Cannot push: another machine uses this machine's id, as after a copy of the " +
    "data root. In the copy, delete machines.json and the folder machines, and pair it anew";
  return new SessionError("changed", message);
}
