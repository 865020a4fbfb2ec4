/** One round between a user's machines: sends, receives, and brings files up to date. */
import { lockMachines } from "./lock_machines.ts";
import { adoptPlaced } from "./placed_streams.ts";
import { readLedger, writeLedger } from "./own_streams.ts";
import { pullMachines } from "./pull_machines.ts";
import { type MachinePushPlan, type PushedMachine, pushMachine } from "./push_machine.ts";
import { type IsOpen, type SettledStreams, settleStreams } from "./settle_streams.ts";

/** A round: what a push needs, and which sessions must not grow now. */
export interface RoundPlan extends MachinePushPlan {
  isOpen: IsOpen;
}

/** The outcome of a round. */
export interface MachinesRound extends SettledStreams {
  pushed: PushedMachine;
  /** Names of the other machines. */
  machines: string[];
  /** Names of machines from which something has not arrived yet. */
  waiting: string[];
  /** Number of bytes that were read from the place. */
  received: number;
}

/**
 * Sends what is new here, receives what is new elsewhere, and continues files that did not change
 * here.
 *
 * @throws {SessionError} `locked` while another process does the same; as the place
 */
export async function syncMachines(plan: RoundPlan): Promise<MachinesRound> {
  const { root, place, device } = plan;
  using _locked = await lockMachines(root);
  const ledger = readLedger(root);
  const pushed = await pushMachine(plan, ledger);
  const { machines, bytes, waiting } = await pullMachines(place, root, device, ledger);
  const settled = await settleStreams(root, ledger, machines, plan.isOpen);
  if (settled.grown.length > 0) {
    writeLedger(root, ledger);
    const more = await pushMachine(plan, ledger);
    pushed.bytes += more.bytes;
  }
  const names = [...machines.values()].map(({ state }) => state.machine);
  return { ...settled, pushed, machines: names, waiting, received: bytes };
}

/** Returns the directories of sessions that another machine began, and this machine sends. */
export function placedDirectories(root: string): string[] {
  const ledger = readLedger(root);
  adoptPlaced(root, ledger);
  const found = Object.values(ledger.streams).flatMap(({ move }) => move?.here ?? []);
  return [...new Set(found)];
}
