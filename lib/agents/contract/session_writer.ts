/**
 * The contract of an agent's writer: how a conversation becomes a new session of that agent. A
 * writer returns texts and paths. It opens, writes and starts nothing.
 *
 * @module
 */
import type { CallStatus, ReasoningPart } from "../../core/event/message.ts";
import type { AgentSession } from "./agent.ts";
import type { AgentPlace } from "./agent_environment.ts";
import type { ResumeCommand } from "./resume_command.ts";

/** One part of a prompt or of a call's output. Texts are never empty, images always whole. */
export type HandedPart =
  | { type: "text"; text: string }
  | { type: "image"; media_type: string; data: string };

/** The type of an image in a handed-over message. Its data is in base64. */
export type HandedImage = Extract<HandedPart, { type: "image" }>;

/** A call as its original agent recorded it, kept so that a hand-over back restores the call. */
export interface OriginalCall {
  /** The call's original id. */
  id: string;
  /** The tool's original name. */
  name: string;
  /** The original arguments; absent if they equal `HandedCall.input`. */
  input?: unknown;
  /** The recorded outcome of the call. */
  status: CallStatus;
  /** The session in which the call was made; absent if this is the session that is handed over. */
  from?: string;
}

/** A call with its result. */
export interface HandedCall {
  /** A new id, in the form of the target agent's call ids. */
  id: string;
  /** The tool's name: a tool of the target agent, or a name of letters, digits, `_` and `-`. */
  name: string;
  /** The arguments. Numbers that JavaScript cannot represent are `ExactNumber`s. */
  input: Record<string, unknown>;
  /** The part of the call's result that the model gets; empty if there was none. */
  output: HandedPart[];
  /** True if the call failed, was interrupted, or has no known result. */
  failed: boolean;
  /** The call before it was converted for the target agent. */
  original: OriginalCall;
}

/** A message from the user. */
export interface HandedPrompt {
  /** The constant that marks a prompt. */
  role: "user";
  /** The message's time in Unix milliseconds: after the previous message, and not in the future. */
  time: number;
  /** The parts of the prompt; at least one. */
  parts: HandedPart[];
  /** True if the message is for the model alone; requires {@linkcode SessionWriter.hides}. */
  hidden?: true;
}

/** An answer of the model with its calls. If it has no calls, a prompt follows, or nothing. */
export interface HandedAnswer {
  /** The constant that marks an answer. */
  role: "assistant";
  /** The message's time in Unix milliseconds: after the previous message, and not in the future. */
  time: number;
  /** The model's text before its calls. It may be empty if there are calls. */
  text: string;
  /**
   * The reasoning to keep, with provider data. Empty unless requested and accepted by the writer.
   */
  reasoning: ReasoningPart[];
  /** The model that answered; set if reasoning is kept. */
  model?: string;
  /** The answer's calls with their results, in order. */
  calls: HandedCall[];
  /** Estimated number of tokens in the whole conversation. Set only on the last answer. */
  total_tokens?: number;
}

/** One message of a session that is handed over: a prompt, or an answer with its calls. */
export type HandedMessage = HandedPrompt | HandedAnswer;

export interface HandedStart {
  /** The new session's id, made by {@linkcode SessionWriter.newSessionId}. */
  id: string;
  /** The reference of the source session, such as `claude:3f2a…`. */
  from: string;
  cwd: string;
  title?: string;
  /** The time of the first message, in Unix milliseconds. */
  begun: number;
  /** The time of the hand-over, in Unix milliseconds. */
  now: number;
}

export interface HandedSession extends HandedStart {
  /** The session's messages, oldest first, beginning with the user's. Can be read only once. */
  messages: AsyncIterable<HandedMessage>;
}

/** The arguments of the calls that many agents make with the same meaning. */
export interface SharedCalls {
  bash: { command: string; description?: string };
  read: { path: string; offset?: number; limit?: number };
  write: { path: string; content: string };
  edit: { path: string; old_text: string; new_text: string; all?: boolean };
}

/** An agent's own tool for one kind of call in {@linkcode SharedCalls}. */
export interface ToolForm<Call> {
  name: string;
  /** Returns the tool's arguments for a call; undefined if the tool cannot express the call. */
  input(call: Call): Record<string, unknown> | undefined;
}

/** The agent's tools, by kind in `SharedCalls`. A kind is absent if no tool of the agent fits. */
export type ToolForms = { [Kind in keyof SharedCalls]?: ToolForm<SharedCalls[Kind]> };

interface AnsweredBy {
  /** The model, such as `claude-opus-4-5`. */
  model?: string | undefined;
  /** The service that ran the model, such as `anthropic`. */
  provider?: string | undefined;
}

interface FileBeside {
  /** Absolute path. The file is only written if no file has this path yet. */
  path: string;
  text: string;
}

export interface SessionPlacement {
  /** Absolute path of the session's file. An existing file is never replaced. */
  path: string;
  beside?: readonly FileBeside[];
  /** A line to append to an index file of the agent. Other programs append to this file, too. */
  appended?: { path: string; line: string };
  /** The agent's own commands that import the session, to be run in the session's directory. */
  prepare?: readonly (readonly [program: string, ...args: string[]])[];
  /**
   * Absolute path of the database that holds the session after the import. If present, `path` is
   * only the input of the import, in a folder of temporary files.
   */
  kept_in?: string;
  /**
   * Finds the id that the agent gives the session, in the output of the last `prepare` command.
   * Before the id is known, `resume_latest` continues the session.
   */
  named_by?: RegExp;
  /** The agent's own command to remove the new session. Absent if removing its file is enough. */
  remove?: readonly [program: string, ...args: string[]];
}

export interface SessionWriter {
  readonly tools: ToolForms;
  /** True if the agent was seen to resume a written session. False if only the format is known. */
  readonly proven: boolean;
  /** True if the agent counts its messages as JSON when it measures the context window. */
  readonly counts_json?: true;
  /** True if the agent's sessions can hold user messages that only the model gets. */
  readonly hides?: true;
  /**
   * True if the agent's sessions can hold images of this type, and its models accept them. If
   * false, a line that names the image replaces it. Without this method, images of all types are
   * kept.
   */
  takesImage?(media_type: string): boolean;
  /**
   * The command that continues the most recent session of a directory. Set if the agent cannot
   * continue a session by id, or chooses the id itself at the import.
   */
  readonly resume_latest?: ResumeCommand;
  newSessionId(now: number): string;
  /** Returns an id for a call, in a form that every model provider accepts. */
  newCallId(): string;
  /**
   * True if the reasoning is complete and the agent would send it to the same provider again.
   * Absent if the agent never records its provider for certain.
   */
  takesReasoning?(reasoning: ReasoningPart, by: AnsweredBy): boolean;
  /**
   * Returns where the new session is stored below a root. May read folders and indexes, and changes
   * nothing.
   *
   * @param folder A folder for temporary files, for an agent that imports a file.
   */
  place(place: AgentPlace, start: HandedStart, folder: string): SessionPlacement;
  /**
   * Yields the text of the session's file in pieces. May read the agent's settings, because some
   * sessions must name a model that the user has.
   */
  write(session: HandedSession, place: AgentPlace): AsyncIterable<string>;
  /**
   * Opens the original calls that this writer stored in a session. The returned function gives the
   * value under `reprise` in the record of a call. Without this method, a caller searches the lines
   * of the session's files.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  handedOriginals?(session: AgentSession): (call_id: string) => unknown;
}
