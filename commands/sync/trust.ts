/** `reprise sync trust`: the machines and the keys of sealed sessions that count here. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import { collected, defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { IDENTITY_FLAG, type IdentityFlags } from "../_scope_flags.ts";
import { InvalidArgument } from "../_values.ts";
import { say } from "../_message.ts";
import { contextLibrary } from "../_library.ts";
import { keepSettings, knownIdentities, neededSettings, withTeamStore } from "./connection.ts";
import { shortName } from "./report_text.ts";

export const trustCommand = defineCommand({
  summary: "trust your other machines, to receive their sessions",
  description:
    "Choose which of your other machines this machine trusts. Each machine has a key, and signs " +
    "with it what it sends. To see a machine's key, run reprise sync status on that machine. " +
    "Sessions from a trusted machine are added to this machine's sessions. Other sessions stay " +
    "in the store, and can be read as team:ID. Without KEYS, list the keys that you trust, and " +
    "your sessions that were encrypted with other keys. The next push encrypts such a session " +
    "again, with a new key.",
  arguments: [["[keys...]", {
    help: "keys of machines or of encrypted sessions (64 hexadecimal digits)",
    parse: collectedKey,
  }]],
  flags: {
    "--remove": "stop trusting these keys; the sessions that you received stay on this machine",
    ...IDENTITY_FLAG,
  },
  examples: ["reprise sync trust", "reprise sync trust 5f2a…", "reprise sync trust --remove 5f2a…"],
  run: (context, keys, flags) => trust(context, keys ?? [], flags),
});

/** Checks a key, and appends it to the earlier ones. */
export function collectedKey(
  value: string,
  context: Context,
  before: string[] | undefined,
): string[] {
  const key = value.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(key)) {
    throw new InvalidArgument(
      "A key has 64 hexadecimal digits. To see it, run on that machine: reprise sync status",
    );
  }
  return collected(key, context, before);
}

async function trust(
  context: Context,
  keys: readonly string[],
  { remove = false, identity }: IdentityFlags & { remove?: boolean },
): Promise<void> {
  const settings = await neededSettings(context, "trust a machine");
  const { trusted = [] } = settings;
  if (keys.length === 0) {
    context.stdout.write(trusted.map((key) => `${key}\n`).join(""));
    await tellKey(context);
    return await tellSessionKeys(context, settings, identity);
  }
  const unknown = keys.find((key) => remove && !trusted.includes(key));
  if (unknown !== undefined) {
    throw new SessionError(
      "not-found",
      `Cannot remove key: it is not one of the trusted keys: ${unknown}`,
    );
  }
  await keepSettings(context, remove ? without(settings, keys) : trusting(settings, keys));
  const count = keys.length === 1 ? "this key" : `these ${keys.length} keys`;
  await say(context, remove ? `No longer trusted: ${count}` : `Trusted: ${count}`);
}

export function trusting(settings: SyncSettings, keys: readonly string[]): SyncSettings {
  return { ...settings, trusted: [...new Set([...settings.trusted ?? [], ...keys])] };
}

function without(settings: SyncSettings, keys: readonly string[]): SyncSettings {
  return { ...settings, trusted: settings.trusted?.filter((key) => !keys.includes(key)) ?? [] };
}

/** Prints the key by which other machines trust this one. */
export async function tellKey(context: Context): Promise<void> {
  const { machineKey } = await import("../../lib/features/team/state/device_key_file.ts");
  const key = machineKey(contextLibrary(context).root, true);
  await say(
    context,
    `To trust this machine, run on your other machines: reprise sync trust ${key}`,
  );
}

/** Prints the keys of sealed sessions that are not trusted on this machine. */
async function tellSessionKeys(
  context: Context,
  settings: SyncSettings,
  identity: IdentityFlags["identity"],
): Promise<void> {
  if (!settings.projects.some(({ form }) => form === "sealed")) return;
  const { uncountedKeys } = await import("../../lib/features/team/uncounted_keys.ts");
  const { root } = contextLibrary(context);
  const identities = await knownIdentities(context, settings, identity);
  let found: Awaited<ReturnType<typeof uncountedKeys>> = [];
  try {
    found = await withTeamStore(
      context,
      settings,
      (store) => uncountedKeys(root, store, settings, identities),
    );
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "unreachable") throw error;
    await say(context, error.message);
  }
  for (const { session, fingerprint, signers } of found) {
    const by = signers.length === 0
      ? "the session has no signature, so it is unknown which machine sent it"
      : `signed by the machine with the key ${[...new Set(signers)].join(", ")}`;
    const name = shortName(session);
    await say(
      context,
      `Not trusted: session ${name} is encrypted with the key ${fingerprint} (${by}). If it is ` +
        "yours, trust its key: reprise sync trust KEY",
    );
  }
}
