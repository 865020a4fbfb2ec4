/** `reprise sync withdraw`: deletes the user's shared sessions from the team's store. */
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { neededSettings, withTeam } from "./connection.ts";
import { shortName } from "./report_text.ts";

export const withdrawCommand = defineCommand({
  summary: "delete your shared sessions from the team's store",
  description:
    "Delete the copies of your sessions from the team's store, also those from your other machines. " +
    "The sessions stay on your machines, but are not shared again. Members keep the copies " +
    "that they pulled.",
  arguments: [["<refs...>", "the sessions: their ids on this machine, or team:ID"]],
  examples: ["reprise sync withdraw 3f2a", "reprise sync withdraw claude:8d1f"],
  run: withdrawAll,
});

async function withdrawAll(context: Context, refs: readonly string[]): Promise<void> {
  const settings = await neededSettings(context, "withdraw");
  const { withdraw } = await import("../../lib/features/team/withdraw.ts");
  const { root } = contextLibrary(context);
  const sessions = await withTeam(
    context,
    settings,
    (team) => withdraw(root, team, settings, refs),
  );
  for (const session of sessions) await say(context, `Withdrawn: ${shortName(session)}`);
  await say(context, "Members keep the copies that they pulled");
}
