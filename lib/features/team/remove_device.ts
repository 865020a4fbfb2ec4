/** Removes a machine that was lost: its key, and the recipients whose private keys it has. */
import { SessionError } from "../../core/event/session_error.ts";
import type { SyncSettings } from "./shared_project.ts";
import type { SharedBranch, TeamStore } from "./team_store.ts";

interface RemovedDevice {
  /** The machine's label, or the beginning of its key. */
  label: string;
  /** Number of own sessions in the store, which the machine may still read. */
  readable: number;
  settings: SyncSettings;
}

export interface RemoveDeviceOptions {
  /** A label, the beginning of a device's id, or of a machine's key. */
  name: string;
  /** Recipients whose private keys are on the machine. */
  recipients: readonly string[];
  /** This machine's key, which stays. */
  own: string | undefined;
  now: Date;
}

/**
 * Finds a machine in the store, and removes it from the settings.
 *
 * @throws {SessionError} `not-found`; `ambiguous` where several machines have the name;
 * `invalid-config` for this machine.
 */
export async function removeDevice(
  store: TeamStore,
  settings: SyncSettings,
  { name, recipients, own, now }: RemoveDeviceOptions,
): Promise<RemovedDevice> {
  await store.hello(settings.device);
  const branches = await store.branches({ mine: true });
  const { label, keys } = namedDevice(branches, settings, name);
  if (keys.has(own ?? "")) {
    throw new SessionError("invalid-config", `Cannot remove ${name}: it is this machine`);
  }
  const { trusted = [], lost_recipients = [] } = settings;
  return {
    label,
    readable: new Set(branches.map(({ session }) => session)).size,
    settings: {
      ...settings,
      trusted: trusted.filter((key) => !keys.has(key)),
      lost_recipients: [...new Set([...lost_recipients, ...recipients])],
      keys_since: now.toISOString(),
    },
  };
}

/** Returns the signing keys of the machine that has a name. */
function namedDevice(
  branches: readonly SharedBranch[],
  { trusted = [] }: SyncSettings,
  name: string,
): { label: string; keys: Set<string> } {
  const ended = branches.filter(({ ended_by }) =>
    ended_by?.label === name || name.length >= 8 && ended_by?.id.startsWith(name)
  );
  const devices = new Set(ended.map(({ ended_by }) => ended_by?.id));
  const keys = new Set(ended.flatMap(({ signed }) => signed?.by ?? []));
  if (devices.size === 1 && keys.size > 0) return { label: name, keys };
  const named = trusted.filter((key) => name.length >= 8 && key.startsWith(name));
  if (named.length === 1) return { label: name.slice(0, 8), keys: new Set(named) };
  if (devices.size > 1) {
    const ids = [...devices].join(", ");
    const message = `Cannot remove ${name}: several machines have this name; give one id: ${ids}`;
    throw new SessionError("ambiguous", message);
  }
  const message =
    `Cannot remove ${name}: no shared directory and no machine has this name. To see ` +
    "the keys of machines: reprise sync trust";
  throw new SessionError("not-found", message);
}
