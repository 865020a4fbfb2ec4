/** The contract for setting a session's title in the agent itself. */
import type { AgentSession } from "./agent.ts";

/** A line that an agent itself would append to a file to give a session a title. */
export interface TitleLine {
  path: string;
  line: string;
}

export interface TitleCommand {
  argv: readonly [program: string, ...args: string[]];
  env: Readonly<Record<string, string>>;
  input: string;
  /** Matches the last line of the command's answer. */
  ends: RegExp;
  /** Matches an answer that confirms the new title. */
  done: RegExp;
}

export interface NativeTitles {
  lineOf?(session: AgentSession, title: string, now: Date): Promise<TitleLine | undefined>;
  /** Returns the command to set a title; undefined if the session is in no folder of the agent. */
  commandOf?(session: AgentSession, title: string): TitleCommand | undefined;
}
