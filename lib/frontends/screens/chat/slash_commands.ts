/** Runs the slash commands of a chat. */
import { counted } from "../../../core/event/counted.ts";
import type { Chat } from "../../../features/chat/chat.ts";
import type { ChatStatus } from "../../../features/chat/chat_options.ts";

export interface ChatControl {
  readonly chat: Chat;
  say(message: string): void;
  /** Runs an action. ^C aborts its signal. */
  during<Result>(action: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  goOn(ref: string | undefined): Promise<void>;
  begin(): Promise<void>;
  exportTo(file: string | undefined): Promise<void>;
  quit(): void;
}

interface SlashCommand {
  usage: string;
  description: string;
  run(control: ChatControl, argument: string): Promise<void> | void;
}

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  sessions: {
    usage: "/sessions [REF]",
    description: "continue another session (same as /resume)",
    run: (control, ref) => control.goOn(ref === "" ? undefined : ref),
  },
  new: { usage: "/new", description: "begin a new session", run: (control) => control.begin() },
  compact: {
    usage: "/compact [guidance]",
    description: "replace the conversation with a summary",
    run: compact,
  },
  fork: { usage: "/fork", description: "continue in a copy of this session", run: fork },
  rename: { usage: "/rename TITLE", description: "give this session a title", run: rename },
  export: {
    usage: "/export [FILE]",
    description: "write the session to a file: .md, .html, .txt, .json, .jsonl",
    run: (control, file) => control.exportTo(file === "" ? undefined : file),
  },
  status: {
    usage: "/status",
    description: "show the session, the model, and how full the context window is",
    run: status,
  },
  help: { usage: "/help", description: "list these commands", run: help },
  quit: { usage: "/quit", description: "leave (also ^D)", run: (control) => control.quit() },
};

const ALIASES: Readonly<Record<string, string>> = { resume: "sessions", exit: "quit", "?": "help" };

/** True if a line is a slash command. A path such as `/tmp/x` is none. */
export function isSlashCommand(line: string): boolean {
  return /^\/[a-z?]*(?:\s|$)/i.test(line);
}

export async function runSlashCommand(control: ChatControl, line: string): Promise<void> {
  const [, word = "", argument = ""] = /^\/(\S*)\s*([^]*)$/.exec(line.trim()) ?? [];
  const name = ALIASES[word.toLowerCase()] ?? word.toLowerCase();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return control.say(`Unknown command /${word}. To list all: /help`);
  await command.run(control, argument);
}

async function compact({ chat, say, during }: ChatControl, guidance: string): Promise<void> {
  const end = await during((signal) => chat.compact(guidance, { signal }));
  if (end.result === "nothing") say("There is nothing to compact yet");
  if (end.result === "cancelled") say("Stopped: the conversation was not changed");
  if (end.result === "failed") say(`Cannot compact the conversation: ${end.message ?? "unknown"}`);
}

async function fork({ chat, say }: ChatControl): Promise<void> {
  const { session_id: before } = chat.status();
  const id = await chat.fork();
  say(`Continuing in a copy, session ${id}. The original is unchanged: ${before}`);
}

async function rename({ chat, say }: ChatControl, title: string): Promise<void> {
  if (title === "") return say("Give a title: /rename TITLE");
  await chat.rename(title);
  say(`The session is now called "${title}"`);
}

function status({ chat, say }: ChatControl): void {
  const state = chat.status();
  const { unsaved, git_branch } = state;
  const part = Math.round(100 * state.context_used / state.context_limit);
  const about = state.context_estimated ? "about " : "";
  say([
    `Session   ${savedAs(state)}`,
    `Model     ${state.provider}:${state.model}`,
    `Window    ${about}${state.context_used} of ${state.context_limit} tokens (${part} %)`,
    `Messages  ${state.message_count} in the conversation`,
    ...(git_branch === undefined ? [] : [`Branch    ${git_branch}`]),
    ...(unsaved === 0 ? [] : [`Unsaved   ${counted(unsaved, "event")} (only in memory)`]),
  ].join("\n"));
}

function savedAs({ session_id, on_disk, unsaved }: ChatStatus): string {
  if (session_id === undefined) return "not saved";
  if (on_disk) return session_id;
  return unsaved === 0 ? "no messages yet" : "not saved to disk yet";
}

function help({ say }: ChatControl): void {
  const rows = Object.values(COMMANDS).map(({ usage, description }) =>
    `${usage.padEnd(20)} ${description}`
  );
  say([
    ...rows,
    "",
    "Enter sends the message. End a line with \\ to go on in the next line.",
    "↑ shows earlier messages. ^C or Esc stops a turn. Text typed during a turn is sent after it.",
    "^Z suspends the chat, and fg continues it. To show collapsed text: reprise show --full",
  ].join("\n"));
}
