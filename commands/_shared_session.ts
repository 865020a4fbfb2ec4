/** Opens a session of a team's store: here, in the mirror, or pulled just now. */
import { AGENT_NAMES } from "../lib/core/event/agent_name.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { Library } from "../lib/library/library.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { parseRef, type Ref } from "../lib/core/store/ref.ts";
import type { Context } from "./_context.ts";
import { untilInterrupted } from "./_until_signal.ts";

/** Options that keep the record which a reference names, to look it up in the opened session. */
const KEPT = { keeps_record: true };

/**
 * Opens the session that `team:…` names. The user's own session is opened locally if it is on this
 * machine.
 *
 * @param identity Files of identities, for a sealed one.
 * @throws {SessionError} As `Library.open`; `encrypted`; as the store where it must be asked.
 */
export async function openShared(
  context: Context,
  library: Library,
  ref: string,
  identity: readonly string[] | undefined,
): Promise<SessionHandle> {
  return await openKnown(library, ref) ?? await openPulled(context, library, ref, identity);
}

/** Opens a pulled session, or the user's own on this machine; undefined if neither exists. */
async function openKnown(library: Library, ref: string): Promise<SessionHandle | undefined> {
  const parsed = parseRef(ref, AGENT_NAMES);
  try {
    return await library.open(ref, KEPT);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not-found") throw error;
    return await openHere(library, parsed);
  }
}

/** Opens the user's own session on this machine, if it continues the named branch. */
async function openHere(library: Library, parsed: Ref): Promise<SessionHandle | undefined> {
  if (parsed.kind !== "team" || parsed.owner !== undefined) return undefined;
  const { agent, prefix, n = 1 } = parsed;
  const { sharedIn } = await import("../lib/features/team/state/sync_state.ts");
  try {
    const name = agent === undefined ? prefix : `${agent}:${prefix}`;
    const session = await library.open(name + placeText(parsed), KEPT);
    const whole = session.agent === "reprise" ? session.id : `${session.agent}:${session.id}`;
    return sharedIn(library.root, whole).some((one) => one.n === n) ? session : undefined;
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

function placeText({ thread, seq, record }: Ref): string {
  const event = seq === undefined ? "" : `#${seq}`;
  return (thread === undefined ? "" : `~${thread}`) + event +
    (record === undefined ? "" : `@${record}`);
}

async function openPulled(
  context: Context,
  library: Library,
  ref: string,
  identity: readonly string[] | undefined,
): Promise<SessionHandle> {
  const [{ neededSettings }, { withTeamStore }, { pullOnce }, { knownIdentities }] = await Promise
    .all([
      import("./sync/connection.ts"),
      import("./sync/connection.ts"),
      import("./sync/transfer.ts"),
      import("./sync/connection.ts"),
    ]);
  const settings = await neededSettings(context, `find session "${ref}"`);
  const { findShared } = await import("../lib/features/team/find_branch.ts");
  const identities = await knownIdentities(context, settings, identity);
  const { branch, report } = await untilInterrupted((signal) =>
    withTeamStore(context, settings, async (store) => {
      const { owner } = await store.hello(settings.device);
      const branch = await findShared(store, owner, ref);
      const { session } = branch;
      const report = await pullOnce(context, store, settings, { identities, signal, session });
      return { branch, report };
    })
  );
  const [failed] = report.failed;
  if (failed !== undefined) throw new SessionError("io", failed.message, { ref });
  const { owner, session } = branch;
  if (report.sealed.length > 0) {
    const message = `Cannot read ${ref}: it is encrypted, and you have no private key for it. ` +
      "Give --identity FILE, or set REPRISE_IDENTITY";
    throw new SessionError("encrypted", message, { ref });
  }
  const place = placeText(parseRef(ref, AGENT_NAMES));
  if (owner === report.owner && report.adopted.includes(session)) {
    return await library.open(session + place, KEPT);
  }
  // The user's own name is left out, because the session may be on this machine.
  return await openKnown(library, branch.ref + place) ??
    await library.open(branch.ref + place, KEPT);
}
