/** Removes a lost machine, for `reprise sync remove`. */
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import { counted } from "../../lib/core/event/counted.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { pullOnce } from "./transfer.ts";
import { keepSettings, knownIdentities, withTeamStore } from "./connection.ts";

/** @param given The public keys of the machine; by default those of the identities here. */
export async function removeMachine(
  context: Context,
  settings: SyncSettings,
  name: string,
  given: readonly string[] | undefined,
): Promise<void> {
  const { machineKey } = await import("../../lib/features/team/state/device_key_file.ts");
  const { removeDevice } = await import("../../lib/features/team/remove_device.ts");
  const { recipientOf } = await import("../../lib/text/seal/keys.ts");
  const identities = await knownIdentities(context, settings);
  const recipients = given ?? await Promise.all(identities.map(recipientOf));
  const own = machineKey(contextLibrary(context).root);
  const now = context.now();
  const removed = await withTeamStore(
    context,
    settings,
    async (store) => {
      const removed = await removeDevice(store, settings, { name, recipients, own, now });
      // Its last work comes while it is trusted: later, a push replaces what it sealed.
      const { signal } = new AbortController();
      await pullOnce(context, store, settings, { identities, signal });
      return removed;
    },
  );
  await keepSettings(context, removed.settings);
  const { label, readable } = removed;
  const key_line = given === undefined && recipients.length > 0
    ? [
      `${label} has your private key, too, so nothing more is encrypted for that key. Make a new ` +
      "key with reprise key new --out FILE, append the old key to it, and set " +
      "REPRISE_IDENTITY=FILE on your other machines. Until then, sync push refuses",
    ]
    : [];
  await say(
    context,
    [
      `Removed: ${label}. Do the same on your other machines`,
      ...key_line,
      `${label} can still read the sessions that it pulled. While it has access to the store, it ` +
      `can also read ${counted(readable, "session")} there, but nothing that is added from now ` +
      "on. Remove its access to the store, or encrypt the sessions again: reprise sync push --rekey",
    ].join("\n"),
  );
}
