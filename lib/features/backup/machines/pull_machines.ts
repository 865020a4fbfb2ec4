/** Receives the packs that the user's other machines sent. */
import { isThere } from "../../../core/file/presence.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { pulledFolder } from "../../../library/machine/pulled/pulled_sessions.ts";
import { checksumAt } from "./compare_files.ts";
import { MachineNames } from "./machine_names.ts";
import { contentPath, type OwnLedger } from "./own_streams.ts";
import {
  latestEpoch,
  listPlace,
  type MachinePlace,
  packAfter,
  type PackNumber,
  readPack,
} from "./packs.ts";
import { type FindCommon, MissingBytes, PulledStreams } from "./pulled_streams.ts";

export interface PulledMachines {
  machines: Map<string, PulledStreams>;
  /** Number of bytes that were read from the sync place. */
  bytes: number;
  /** Ids of the devices whose packs have not all arrived yet. */
  waiting: string[];
  /** Ids of the devices that now use other pairing words than this machine. */
  rekeyed: string[];
}

export function knownMachines(root: string, device: string): Map<string, PulledStreams> {
  const folder = pulledFolder(root);
  const names = isThere(folder) ? [...readDirSync(folder)].map(({ name }) => name) : [];
  return new Map(
    names.filter((name) => name !== device).map((name) => [name, new PulledStreams(root, name)]),
  );
}

export function machineNames(
  device: string,
  label: string,
  machines: ReadonlyMap<string, PulledStreams>,
): MachineNames {
  const others = [...machines].map(([id, { state }]) => [id, state.machine] as const);
  return new MachineNames(new Map([...others, [device, label]]));
}

/**
 * @param device Id of this machine's device.
 * @throws {SessionError} The errors of the sync place; `disk-full`, `permission`, `io`
 */
export async function pullMachines(
  place: MachinePlace,
  root: string,
  device: string,
  ledger: OwnLedger,
): Promise<PulledMachines> {
  const { packs, others } = await listPlace(place);
  const machines = knownMachines(root, device);
  for (const name of packs.keys()) {
    if (name !== device && !machines.has(name)) machines.set(name, new PulledStreams(root, name));
  }
  const pull = new Pull(place, machines, new PulledStreams(root, device), { device, ledger });
  // Packs of one machine may refer to bytes that another machine sent.
  for (let before = -1; before !== pull.received;) {
    before = pull.received;
    pull.waiting.clear();
    for (const [name, streams] of machines) {
      await pull.receive(name, streams, packs.get(name) ?? []);
    }
    if (pull.needs_own) await pull.receiveOwn(packs.get(device) ?? []);
  }
  const rekeyed = [...machines].filter(([name, { state: { epoch } }]) =>
    latestEpoch(others.get(name) ?? []) > epoch
  ).map(([name]) => name);
  return { machines, bytes: pull.bytes, waiting: [...pull.waiting], rekeyed };
}

class Pull {
  readonly #place: MachinePlace;
  readonly #machines: ReadonlyMap<string, PulledStreams>;
  /** This machine's own sessions, as sent. Received only if local files lack some of the bytes. */
  readonly #own: PulledStreams;
  readonly #here: { device: string; ledger: OwnLedger };
  readonly waiting = new Set<string>();
  needs_own = false;
  received = 0;
  bytes = 0;

  constructor(
    place: MachinePlace,
    machines: ReadonlyMap<string, PulledStreams>,
    own: PulledStreams,
    here: { device: string; ledger: OwnLedger },
  ) {
    this.#place = place;
    this.#machines = machines;
    this.#own = own;
    this.#here = here;
  }

  async receiveOwn(packs: readonly PackNumber[]): Promise<void> {
    await this.receive(this.#here.device, this.#own, packs);
  }

  /** Receives the packs of a machine in their order, up to the first pack that has not arrived. */
  async receive(
    device: string,
    streams: PulledStreams,
    packs: readonly PackNumber[],
  ): Promise<void> {
    const { state } = streams;
    const epoch = latestEpoch(packs, state.epoch);
    if (epoch !== state.epoch) [state.epoch, state.last] = [epoch, 0];
    const numbers = packs.filter((one) => one.epoch === epoch);
    const last = numbers.reduce((most, { to }) => Math.max(most, to), 0);
    while (state.last < last) {
      const next = packAfter(numbers, state.last);
      const pack = next && await readPack(this.#place, device, next);
      if (next === undefined || pack === undefined) break;
      try {
        for (const record of pack.records) streams.apply(record, this.#findCommon);
      } catch (error) {
        if (!(error instanceof MissingBytes)) throw error;
        this.needs_own ||= error.device === this.#here.device;
        break;
      }
      [state.last, state.machine] = [next.to, pack.machine];
      this.bytes += pack.bytes;
      this.received++;
      streams.save();
    }
    if (state.last < last) this.waiting.add(device);
  }

  readonly #findCommon: FindCommon = (ref, name, { device, generation, bytes, crc }) => {
    const found = device === this.#here.device
      ? [
        this.#ownPath(ref, name, generation),
        this.#own.generationPath(ref, name, generation, bytes),
      ]
      : [this.#machines.get(device)?.generationPath(ref, name, generation, bytes)];
    return found.find((path) => path !== undefined && checksumAt(path, bytes) === crc);
  };

  #ownPath(ref: string, name: string, generation: number): string | undefined {
    const file = this.#here.ledger.streams[ref]?.files[name];
    return file?.generation === generation ? contentPath(file) : undefined;
  }
}
