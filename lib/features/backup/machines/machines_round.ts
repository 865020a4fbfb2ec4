/** Syncs with the user's other machines once: sends, receives, and brings files up to date. */
import { lockMachines } from "./lock_machines.ts";
import { adoptPlaced } from "./placed_streams.ts";
import { type OwnLedger, readLedger, writeLedger } from "./own_streams.ts";
import { machineNames, pullMachines } from "./pull_machines.ts";
import {
  type MachinePushPlan,
  type PushedMachine,
  pushMachine,
  type SentSession,
} from "./push_machine.ts";
import { type SettledStreams, type SettlePlan, settleStreams } from "./settle_streams.ts";

export interface RoundPlan
  extends Omit<MachinePushPlan, "sessions">, Pick<SettlePlan, "isOpen" | "isContinued"> {
  /** Finds the sessions to send. `placed` names directories of sessions from other machines. */
  findSessions(placed: readonly string[]): Promise<readonly SentSession[]>;
}

export interface MachinesRound extends SettledStreams {
  pushed: PushedMachine;
  machines: string[];
  /** Names of machines whose packs have not all arrived yet. */
  waiting: string[];
  /** Names of machines that changed their pairing words. Their new packs are unreadable here. */
  rekeyed: string[];
  /** Number of bytes that were read from the sync place. */
  received: number;
}

/**
 * Sends this machine's new bytes, and receives the other machines' new bytes. Appends received
 * bytes to files that did not change on this machine.
 *
 * @throws {SessionError} `locked` while another process syncs; the errors of the sync place
 */
export async function syncMachines(plan: RoundPlan): Promise<MachinesRound> {
  const { root, place, device } = plan;
  using _locked = await lockMachines(root);
  const ledger = readLedger(root);
  adoptPlaced(root, ledger);
  const sessions = await plan.findSessions(placedIn(ledger));
  const pushed = await pushMachine({ ...plan, sessions }, ledger);
  const { machines, bytes, waiting, rekeyed } = await pullMachines(place, root, device, ledger);
  const names = machineNames(device, plan.machine, machines);
  const settled = await settleStreams({ ...plan, names }, ledger, machines);
  if (settled.grown.length > 0) {
    writeLedger(root, ledger);
    const more = await pushMachine({ ...plan, sessions, check: false }, ledger);
    pushed.bytes += more.bytes;
  }
  const named = (devices: Iterable<string>): string[] =>
    [...devices].map((one) => names.of(one).label);
  return {
    ...{ ...settled, pushed, received: bytes, machines: named(machines.keys()) },
    ...{ waiting: named(waiting), rekeyed: named(rekeyed) },
  };
}

/** Returns the local directories of sent sessions that began on another machine. */
function placedIn({ streams }: OwnLedger): string[] {
  return [...new Set(Object.values(streams).flatMap(({ move }) => move?.here ?? []))];
}
