/** The contract of an agent's own titles. */
import type { AgentSession } from "./agent.ts";

/** A line by which an agent gives a session a title: it would append the line itself. */
export interface TitleLine {
  /** The file that it is appended to. */
  path: string;
  line: string;
}

/** A command of the agent that gives a session a title. */
export interface TitleCommand {
  argv: readonly [program: string, ...args: string[]];
  env: Readonly<Record<string, string>>;
  /** The lines that it reads. */
  input: string;
  /** Matches the line that ends its answer. */
  ends: RegExp;
  /** Matches an answer that says that it was done. */
  done: RegExp;
}

/** Gives titles as the agent itself does: by a line, or by a command. */
export interface NativeTitles {
  /** Returns the line; undefined where the session cannot have one. */
  lineOf?(session: AgentSession, title: string, now: Date): Promise<TitleLine | undefined>;
  /** Returns the command; undefined where the session is in no folder of the agent. */
  commandOf?(session: AgentSession, title: string): TitleCommand | undefined;
}
