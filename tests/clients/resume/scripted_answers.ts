/**
 * What the model answers: the prompt's word `step:NAME` chooses, and how often it was answered since.
 */
import type { Item } from "./request_items.ts";

/** One answer. */
export interface Answer {
  text?: string;
  reasoning?: string;
  calls?: ScriptedCall[];
  /** After the text nothing comes any more. */
  hangs?: boolean;
  /** Refuses with this status. */
  status?: number;
}

/** One call of a tool. */
export interface ScriptedCall {
  name: string;
  /** The group of tools that it belongs to, where a client's model tells it. */
  namespace?: string;
  input: unknown;
}

/** How a client is told to run a shell command. */
export type Shell = (command: string) => ScriptedCall;

/** How a client is told to write, read and change a file. */
export interface FileTools {
  write(path: string, content: string): ScriptedCall;
  read(path: string): ScriptedCall;
  edit(path: string, old_text: string, new_text: string): ScriptedCall;
}

/** What a client's model may call. */
export interface ScriptedTools {
  shell: Shell;
  files?: FileTools;
  /** The directory that it works in. */
  cwd?: string;
  /** Calls of another program's tools, one after the other. */
  recall?(): readonly ScriptedCall[];
}

const STEPS = {
  plain: () => [{ text: "Some words.\n\n  - a list — with “signs” and 🐟\n\nThe end.\n" }],
  thought: () => [{ reasoning: "The user wants little.", text: "So be it." }],
  parallel: ({ shell }) => [
    {
      reasoning: "Two things to look at.",
      text: "I look at both.",
      calls: [shell("echo one; echo two"), shell("printf 'three\\n\\n  four\\n'")],
    },
    { text: "Now a third.", calls: [shell("true")] },
    { text: "All seen." },
  ],
  failing: ({ shell }) => [
    { calls: [shell("echo out; echo wrong >&2; exit 3")] },
    { text: "It failed.", calls: [shell("cat /nowhere/at-all")] },
    { text: "That failed too." },
  ],
  long: ({ shell }) => [
    { text: "A long one.", calls: [shell("seq 1 3000")] },
    { text: "Long indeed." },
  ],
  stopped: () => [{ text: "A first half that ", hangs: true }],
  killed: ({ shell }) => [{ text: "I wait.", calls: [shell("tail -f /dev/null")] }],
  recalled: ({ recall }) => [
    ...(recall?.() ?? []).map((call) => ({ calls: [call] })),
    { text: "That is what I found." },
  ],
  mentioned: () => [{ text: "It says what it says." }],
  refused: () => [{ status: 400 }],
  edited: ({ files, cwd = "" }) => {
    const path = `${cwd}/poem.txt`;
    if (files === undefined) return [{ text: "No tool for files here." }];
    return [
      { text: "I write.", calls: [files.write(path, "one\n  two\nthree\n")] },
      { calls: [files.read(path)] },
      { text: "Now a change.", calls: [files.edit(path, "two", "zwei")] },
      { text: "Changed." },
    ];
  },
} satisfies Record<string, (tools: ScriptedTools) => Answer[]>;

/** Names of the steps. */
export type Step = keyof typeof STEPS;

/** Returns the answer to a conversation; what has no tools or step is a title or a summary. */
export function answerTo(
  items: readonly Item[],
  has_tools: boolean,
  tools: ScriptedTools,
): Answer {
  // A client may put texts of its own behind the prompt and behind results.
  const at = items.findLastIndex(({ kind, text }) => kind === "user" && /step:\w/.test(text));
  const step = items[at]?.text.match(/step:\w+/g)?.at(-1)?.slice("step:".length);
  // A text behind the answer asks for something else: a title or a summary.
  const is_over = items.some(({ kind }, index) =>
    index > at && kind === "user" && items[index - 1]?.kind === "assistant"
  );
  const answers = has_tools && !is_over ? STEPS[step as Step]?.(tools) : undefined;
  if (answers === undefined) {
    return { text: "<summary>\nMuch was tried; step by step.\n</summary>" };
  }
  const kinds = items.slice(at).map(({ kind }) => kind);
  const rounds =
    kinds.filter((kind, index) => kind === "call" && kinds[index - 1] !== "call").length;
  return answers[rounds] ?? { text: "Done." };
}
