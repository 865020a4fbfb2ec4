/** Offers the other machine's latest sessions on a machine that was just paired. */
import { rowsOf } from "../../lib/library/query/candidate.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { askLine } from "../_question.ts";
import { resumeInAgent } from "../_resume_in_agent.ts";
import { sessionHere } from "../_session_here.ts";
import { roundLines, runRound } from "./machine_round.ts";

/** Maximum number of offered sessions. */
const MOST = 9;

export async function offerSession(context: Context, settings: MachineSettings): Promise<void> {
  const lines = await roundLines(settings, await runRound(context, settings));
  for (const line of lines) await say(context, line);
  const library = contextLibrary(context);
  const { entries } = await library.query({ scope: "project", cwd: context.cwd });
  const others = entries.filter(({ session: { machine, branch_of } }) =>
    machine !== undefined && branch_of === undefined
  ).slice(0, MOST);
  const rows = await rowsOf(others);
  if (rows.length === 0) return;
  const { originTitle } = await import("../../lib/text/render/origin_title.ts");
  for (const [index, row] of rows.entries()) {
    await say(context, `  ${index + 1}  ${row.agent}  ${originTitle(row)}`);
  }
  const answer = await askLine(context, "Continue one here? Its number, or Enter to only follow: ");
  const row = rows[Number(answer) - 1];
  if (row === undefined) return;
  await resumeInAgent(context, await sessionHere(context, await library.open(row.ref)));
}
