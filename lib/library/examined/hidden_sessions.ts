/** Finds the sessions that their own agents do not list. */
import { SessionError } from "../../core/event/session_error.ts";
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { agentPlaces, isBelow } from "../../agents/contract/agent_roots.ts";
import { checkedResumeCommand, type ResumeCommand } from "../../agents/contract/resume_command.ts";
import type { HiddenReason, ReadHiddenReason } from "../../agents/contract/visibility.ts";
import type { Library } from "../library.ts";
import { type SessionEntry, sessionOf } from "../query/query.ts";
import { isGone } from "../machine/standing.ts";
import { descriptorOf } from "../machine/registry.ts";

export interface HiddenSession {
  row: Summary;
  reason: string;
  /** Commands that open the hidden session, in the order to run them. Empty if there are none. */
  commands: readonly OpeningCommand[];
  /** True if `doctor agents --fix` makes a copy that the agent lists. */
  fixable: boolean;
  /** True if the copy made by `--fix` needs a directory, because the session's one is missing. */
  needs_directory?: true;
}

const GONE: HiddenReason = {
  reason: "the session was deleted; only its prompts remain",
  commands: [],
};

/** A command, and the directory to run it in. If `directory` is absent, any directory will do. */
export interface OpeningCommand {
  argv: ResumeCommand["argv"];
  directory?: string;
}

/**
 * Finds the sessions that the agent's own list leaves out. Undefined if that list's rule is not
 * known.
 */
export async function hiddenSessions(
  { place: { environment, now: clock } }: Library,
  agent: SessionEntry["session"]["agent"],
  rows: readonly Summary[],
): Promise<HiddenSession[] | undefined> {
  const descriptor = descriptorOf(agent);
  const readVisibility = await descriptor.loadVisibility?.();
  if (readVisibility === undefined) return undefined;
  const hidden: HiddenSession[] = [];
  const now = (clock?.() ?? new Date()).getTime();
  for (const place of agentPlaces(descriptor, environment)) {
    const own = rows.filter(({ path }) => isBelow(path, place.folder));
    if (own.length === 0) continue;
    const reasonOf = await readVisibility({ ...place, now });
    for (const row of own) {
      const session = sessionOf(row);
      const found = isGone(session) ? GONE : await ifRead(() => reasonOf(session, row));
      if (found === undefined) continue;
      const resume = descriptor.resumeCommand(session);
      const commands = found.commands ?? (resume === undefined ? [] : [resume]);
      const fixable = found.copy_helps === true;
      const moves = fixable && (directoryAbsence(row.cwd ?? "") !== undefined);
      hidden.push({
        ...{ row, reason: found.reason, fixable },
        ...moves ? { needs_directory: true as const } : {},
        commands: commands.flatMap((one) => openingCommand(descriptor.title, row, one) ?? []),
      });
    }
  }
  return hidden;
}

async function ifRead(
  reasonOf: () => ReturnType<ReadHiddenReason>,
): Promise<HiddenReason | undefined> {
  try {
    return await reasonOf();
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

/** Returns a command that is safe to print. Undefined if a part of the command is not. */
function openingCommand(
  title: string,
  { session_id: id, path, cwd }: Summary,
  command: ResumeCommand,
): OpeningCommand | undefined {
  try {
    const { argv, in_directory } = checkedResumeCommand(title, { id, path }, command);
    return in_directory && cwd !== undefined && directoryAbsence(cwd) === undefined
      ? { argv, directory: cwd }
      : { argv };
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
