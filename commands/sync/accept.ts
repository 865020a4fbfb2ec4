/** `reprise sync accept` */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { IDENTITY_FLAG, type IdentityFlags } from "../_scope_flags.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { knownIdentities, neededSettings, withTeamStore } from "./connection.ts";
import { shortName } from "./report_text.ts";

export const acceptCommand = defineCommand({
  summary: "accept a session of yours from a machine that you do not trust",
  description:
    "Accept a session that has your name and no signature of a machine that you trust. " +
    "Somebody else may have written it, so read it first: reprise show team:ID. The " +
    "accepted session is added to this machine. If this machine has a copy of the session, the " +
    "new events are appended to the copy.",
  arguments: [["<refs...>", "the sessions: team:ID, or team:ID@N for branch N"]],
  flags: { ...IDENTITY_FLAG },
  examples: ["reprise show team:3f2a", "reprise sync accept team:3f2a"],
  run: accept,
});

async function accept(
  context: Context,
  refs: readonly string[],
  { identity }: IdentityFlags,
): Promise<void> {
  const settings = await neededSettings(context, "accept");
  const identities = await knownIdentities(context, settings, identity);
  const { findShared } = await import("../../lib/features/team/find_branch.ts");
  const { acceptBranch } = await import("../../lib/features/team/pull/pull.ts");
  const library = contextLibrary(context);
  await untilInterrupted((signal) =>
    withTeamStore(context, settings, async (store) => {
      const { owner } = await store.hello(settings.device);
      for (const ref of refs) {
        const found = await findShared(store, owner, ref);
        if (found.owner !== owner) throw notYours(ref, found.owner);
        await acceptBranch(library, store, settings, found, { identities, signal });
        const name = `${shortName(found.session)} of ${found.project}`;
        await say(context, `Accepted: ${name} is now a session of this machine`);
      }
    })
  );
}

function notYours(ref: string, owner: string): SessionError {
  const message =
    `Cannot accept ${ref}: it belongs to ${owner}. To continue it in a copy: reprise fork ${ref}`;
  return new SessionError("permission", message, { ref });
}
