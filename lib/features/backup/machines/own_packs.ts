/** Maintains this machine's packs in the sync place: joins small packs, and notices lost packs. */
import { lockMachines } from "./lock_machines.ts";
import type { SendingMachine } from "./outbox.ts";
import { type OwnFile, type OwnLedger, readLedger, writeLedger } from "./own_streams.ts";
import {
  latestEpoch,
  type ListedPack,
  listPacks,
  type MachinePlace,
  packAfter,
  packKey,
  readPack,
} from "./packs.ts";
import { encodePack, type StreamRecord } from "./stream_record.ts";

/** Number of packs after which small packs are joined, so that listings stay short. */
export const JOINED = 64;
/** Maximum bytes of a small pack. Small packs are joined into one pack. */
const SMALL_BYTES = 256 * 1024;

/** Joins the trailing small packs if there are at least `JOINED`. Returns the bytes sent. */
export async function joinPacks(
  place: MachinePlace,
  { root, device, machine }: SendingMachine,
  ledger: OwnLedger,
): Promise<number> {
  const { epoch } = ledger;
  const packs = await ownPacks(place, device, epoch);
  const large = packs.findLastIndex(({ size, from, to }) => size > SMALL_BYTES || to > from);
  const small = packs.slice(large + 1);
  const [first, last] = [small[0], small.at(-1)];
  if (small.length < JOINED || first === undefined || last === undefined) return 0;
  const records: StreamRecord[] = [];
  for (const one of small) {
    const pack = await readPack(place, device, one);
    // The listing is not complete, or a pack is lost.
    if (pack === undefined || one.to - first.from >= small.length) return 0;
    for (const record of pack.records) records.push(record);
  }
  const key = packKey(place, device, { epoch, from: first.from, to: last.to });
  const bytes = place.key.seal(key.slice(place.prefix.length), encodePack({ machine, records }));
  await place.objects.put(key, bytes);
  if (ledger.size !== undefined) {
    ledger.size += bytes.length - small.reduce((sum, { size }) => sum + size, 0);
  }
  writeLedger(root, ledger);
  for (const one of small) await place.objects.delete(packKey(place, device, one));
  return bytes.length;
}

async function ownPacks(
  place: MachinePlace,
  device: string,
  epoch: number,
): Promise<ListedPack[]> {
  const packs = (await listPacks(place)).get(device) ?? [];
  return packs.filter((one) => one.epoch === epoch).sort((one, other) => one.from - other.from);
}

/**
 * Compares this machine's packs in the sync place with the ledger of sent bytes, once a day. The
 * next push sends everything again if a pack is lost or cut, or if the key or device changed.
 *
 * @param is_asked True to compare even if this was done today, and to read each pack.
 * @returns True if a pack is lost or changed.
 */
export async function checkPacks(
  place: MachinePlace,
  { root, device }: Pick<SendingMachine, "root" | "device">,
  ledger: OwnLedger,
  now: Date,
  is_asked = false,
): Promise<boolean> {
  const under = `${place.key.name}/${device}`;
  const { under: before = under } = ledger;
  ledger.under = under;
  if (before !== under) beginEpoch(ledger, now);
  const day = now.toISOString().slice(0, 10);
  if (ledger.checked === day && !is_asked) return false;
  ledger.checked = day;
  // The ledger is written with the first pack.
  if (ledger.last === 0) return false;
  const packs = await ownPacks(place, device, ledger.epoch);
  let [reached, size] = [0, 0];
  for (let one = packAfter(packs, 0); one !== undefined; one = packAfter(packs, reached)) {
    if (is_asked && await readPack(place, device, one) === undefined) break;
    reached = one.to;
    size += one.size;
  }
  const { last, size: sent = size } = ledger;
  const is_lost = reached < last || size !== sent;
  if (is_lost) beginEpoch(ledger, now);
  writeLedger(root, ledger);
  return is_lost;
}

/**
 * Sets the epoch of a new ledger, one above the latest of this device's packs in the sync
 * place.
 */
export async function beginLedger(
  place: MachinePlace,
  device: string,
  ledger: OwnLedger,
): Promise<void> {
  const epoch = latestEpoch((await listPacks(place)).get(device) ?? []);
  ledger.epoch = Math.max(ledger.epoch, epoch + 1);
  ledger.size = 0;
  // The other machines may have later generations of the files than a new ledger counts.
  if (epoch > 0) ledger.first_generation = ledger.epoch;
}

/**
 * Deletes this machine's packs. The next push sends everything under another key.
 *
 * @param keep Stores the new key. No sync can run meanwhile.
 * @throws {SessionError} `locked` during a sync; the errors of the sync place
 */
export async function leaveKey(
  place: MachinePlace,
  root: string,
  device: string,
  keep: () => void,
): Promise<void> {
  using _locked = await lockMachines(root);
  const ledger = readLedger(root);
  beginEpoch(ledger, new Date());
  writeLedger(root, ledger);
  for (const one of (await listPacks(place)).get(device) ?? []) {
    await place.objects.delete(packKey(place, device, one));
  }
  keep();
}

/** Lets the next push send everything again. */
function beginEpoch(ledger: OwnLedger, now: Date): void {
  ledger.epoch = Math.max(ledger.epoch + 1, Math.floor(now.getTime() / 1000));
  ledger.last = 0;
  ledger.size = 0;
  for (const stream of Object.values(ledger.streams)) {
    stream.state = "";
    const [main] = Object.values(stream.files);
    if (main !== undefined && main.sent > 0) stream.was_sent = true;
    // The pack that reported the deletion may be lost, too.
    delete stream.gone;
    for (const [name, file] of Object.entries(stream.files)) stream.files[name] = unsent(file);
  }
}

function unsent({ common: _, waits: __, ...file }: OwnFile): OwnFile {
  // For a session that another machine began, the sent bytes are in a file of their own.
  if (file.shadow !== undefined) return { ...file, again: true };
  return { ...file, bytes: 0, sent: 0, crc: 0, mark: 0, seen: 0 };
}
