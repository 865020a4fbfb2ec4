/**
 * The contract of an agent's writer: how a conversation becomes a new session of that agent. A
 * writer gives texts and places. It opens, writes and starts nothing.
 *
 * @module
 */
import type { CallStatus, ReasoningPart } from "../../core/event/message.ts";
import type { AgentSession } from "./agent.ts";
import type { AgentPlace } from "./agent_environment.ts";
import type { ResumeCommand } from "./resume_command.ts";

/** One piece of what a user said or a call gave. A text is never empty; an image is whole. */
export type HandedPart =
  | { type: "text"; text: string }
  | { type: "image"; media_type: string; data: string };

/** An image of a handed message, in base64. */
export type HandedImage = Extract<HandedPart, { type: "image" }>;

/** A call as its own agent knew it. It travels along, so that the way back gives it again. */
export interface OriginalCall {
  /** The id that the call had. */
  id: string;
  /** The name that the tool had. */
  name: string;
  /** The arguments; absent where the handed ones are the same. */
  input?: unknown;
  /** The outcome that was recorded. */
  status: CallStatus;
  /** The session that it was made in, where that is not the one that is handed over. */
  from?: string;
}

/** A call with its result. */
export interface HandedCall {
  /** A new id in the form of the agent. */
  id: string;
  /** The name of the tool: one of the target's own, or of letters, digits, `_` and `-`. */
  name: string;
  /** The arguments; odd numbers are `ExactNumber`s. */
  input: Record<string, unknown>;
  /** The part of its result that the model gets; empty where it gave nothing. */
  output: HandedPart[];
  /** True if the call failed, was interrupted, or gave nothing that is known. */
  failed: boolean;
  /** The call as it was before. */
  original: OriginalCall;
}

/** The words of the user. */
export interface HandedPrompt {
  /** Tells a prompt from an answer. */
  role: "user";
  /** Unix milliseconds: later than the message before, and not in the future. */
  time: number;
  /** At least one. */
  parts: HandedPart[];
  /** True if the model alone gets it; only for a writer that {@linkcode SessionWriter.hides}. */
  hidden?: true;
}

/** The model's words and its calls. Two never follow each other without a call in the first. */
export interface HandedAnswer {
  /** Tells an answer from a prompt. */
  role: "assistant";
  /** Unix milliseconds: later than the message before, and not in the future. */
  time: number;
  /** All it said before its calls; may be empty where there are calls. */
  text: string;
  /** Reasoning to keep, with the provider's data; empty unless it was asked for and may be kept. */
  reasoning: ReasoningPart[];
  /** The model that answered, where reasoning is kept. */
  model?: string;
  /** Its calls with their results, in order. */
  calls: HandedCall[];
  /** Set at the last answer: an estimate of the tokens of the whole conversation. */
  total_tokens?: number;
}

/** One message that is handed over. */
export type HandedMessage = HandedPrompt | HandedAnswer;

export interface HandedStart {
  /** The new session's id, made by {@linkcode SessionWriter.newSessionId}. */
  id: string;
  /** The session that it comes from, such as `claude:3f2a…`. */
  from: string;
  /** Absolute path of the directory in which it goes on. */
  cwd: string;
  title?: string;
  /** Unix milliseconds of the first message. */
  begun: number;
  /** Unix milliseconds: the time of the hand-over. */
  now: number;
}

export interface HandedSession extends HandedStart {
  /** Its messages, oldest first; the first is the user's. They can be read once. */
  messages: AsyncIterable<HandedMessage>;
}

/** The arguments of calls that many agents make in the same sense. */
export interface SharedCalls {
  bash: { command: string; description?: string };
  read: { path: string; offset?: number; limit?: number };
  write: { path: string; content: string };
  edit: { path: string; old_text: string; new_text: string; all?: boolean };
}

/** An agent's own tool for calls of one kind. */
export interface ToolForm<Call> {
  name: string;
  /** Returns its arguments; undefined where this tool cannot take this call. */
  input(call: Call): Record<string, unknown> | undefined;
}

/** The tools of an agent by what they do; without one for calls that it takes in another shape. */
export type ToolForms = { [Kind in keyof SharedCalls]?: ToolForm<SharedCalls[Kind]> };

/** The model that gave an answer, as far as the session tells. */
interface AnsweredBy {
  /** The model, such as `claude-opus-4-5`. */
  model?: string | undefined;
  /** The service that ran it, such as `anthropic`. */
  provider?: string | undefined;
}

/** A small file that a new session needs beside its own. */
interface FileBeside {
  /** Absolute path. It is made only where nothing has this name. */
  path: string;
  text: string;
}

/** The place of a new session, and all that its agent needs to find it. */
export interface SessionPlacement {
  /** Absolute path of the session's file. Nothing that has this name is ever replaced. */
  path: string;
  /** Files that must be there too. */
  beside?: readonly FileBeside[];
  /** A line to append to an index of the agent that others append to as well. */
  appended?: { path: string; line: string };
  /** The agent's own commands that take the session in, run in the session's directory. */
  prepare?: readonly (readonly [program: string, ...args: string[]])[];
  /**
   * Absolute path of the database that keeps it then. With it, `path` is only what the commands read,
   * and goes into a folder of temporary files.
   */
  kept_in?: string;
  /**
   * Finds the id that the agent itself gives the session, in what the last of the commands prints.
   * Until then `resume_latest` goes on with it.
   */
  named_by?: RegExp;
  /** The agent's own command that removes the session again; absent where its file is all of it. */
  remove?: readonly [program: string, ...args: string[]];
}

export interface SessionWriter {
  /** Its tools whose calls have a shape that other agents share. */
  readonly tools: ToolForms;
  /** True if the real client was seen to resume such a session; false where only its format is known. */
  readonly proven: boolean;
  /** True if it measures the JSON of its messages against the window. */
  readonly counts_json?: true;
  /** True if its sessions hold messages in the user's place that only the model gets. */
  readonly hides?: true;
  /**
   * True if its sessions hold images of this type, and its models take them. Absent if all are
   * taken. Any other image becomes a line that names it.
   */
  takesImage?(media_type: string): boolean;
  /**
   * The command that goes on with the session that was last written to in a directory. For an agent
   * that has no command line that names a session, or names it when it takes it in.
   */
  readonly resume_latest?: ResumeCommand;
  /** Makes the id of a new session, in the form of the agent's ids. */
  newSessionId(now: number): string;
  /** Makes the id of a call, in a form that every model server takes. */
  newCallId(): string;
  /**
   * Tells if the agent would send this reasoning to the same provider again, with data that is
   * whole. Absent where the agent is never sure of its provider.
   */
  takesReasoning?(reasoning: ReasoningPart, by: AnsweredBy): boolean;
  /**
   * Returns where the session goes below a root. It may look at folders and indexes, and changes
   * none.
   *
   * @param folder A folder for temporary files, for an agent that imports a file.
   */
  place(place: AgentPlace, start: HandedStart, folder: string): SessionPlacement;
  /**
   * Writes the session's file, in pieces of text. It may look at the agent's settings: some
   * sessions must name a model that the user has.
   */
  write(session: HandedSession, place: AgentPlace): AsyncIterable<string>;
  /**
   * Reads what travelled with the calls of a session that was written so. The function returns the
   * key `reprise` of a call's record. Without this method the lines of its files are searched.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  handedOriginals?(session: AgentSession): (call_id: string) => unknown;
}
