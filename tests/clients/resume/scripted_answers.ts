/**
 * What the model answers: the prompt's word `step:NAME` chooses, and how often it was answered since.
 */
import type { Item } from "./request_items.ts";

/** One answer. */
export interface Answer {
  text?: string;
  reasoning?: string;
  calls?: { name: string; input: unknown }[];
  /** After the text nothing comes any more. */
  hangs?: boolean;
  /** Refuses with this status. */
  status?: number;
}

/** How a client is told to run a shell command. */
export type Shell = (command: string) => { name: string; input: unknown };

const STEPS = {
  plain: () => [{ text: "Some words.\n\n  - a list — with “signs” and 🐟\n\nThe end.\n" }],
  thought: () => [{ reasoning: "The user wants little.", text: "So be it." }],
  parallel: (shell) => [
    {
      reasoning: "Two things to look at.",
      text: "I look at both.",
      calls: [shell("echo one; echo two"), shell("printf 'three\\n\\n  four\\n'")],
    },
    { text: "Now a third.", calls: [shell("true")] },
    { text: "All seen." },
  ],
  failing: (shell) => [
    { calls: [shell("echo out; echo wrong >&2; exit 3")] },
    { text: "It failed.", calls: [shell("cat /nowhere/at-all")] },
    { text: "That failed too." },
  ],
  long: (shell) => [
    { text: "A long one.", calls: [shell("seq 1 3000")] },
    { text: "Long indeed." },
  ],
  stopped: () => [{ text: "A first half that ", hangs: true }],
  killed: (shell) => [{ text: "I wait.", calls: [shell("tail -f /dev/null")] }],
  mentioned: () => [{ text: "It says what it says." }],
  refused: () => [{ status: 400 }],
} satisfies Record<string, (shell: Shell) => Answer[]>;

/** Names of the steps. */
export type Step = keyof typeof STEPS;

/** Returns the answer to a conversation; what has no tools or step is a title or a summary. */
export function answerTo(items: readonly Item[], has_tools: boolean, shell: Shell): Answer {
  const at = items.findLastIndex(({ kind, text }) =>
    kind === "user" && !text.startsWith("<environment_context")
  );
  const step = items[at]?.text.match(/step:\w+/g)?.at(-1)?.slice("step:".length);
  const answers = has_tools && step !== undefined ? STEPS[step as Step]?.(shell) : undefined;
  if (answers === undefined) {
    return { text: "<summary>\nMuch was tried; step by step.\n</summary>" };
  }
  const kinds = items.slice(at).map(({ kind }) => kind);
  const rounds =
    kinds.filter((kind, index) => kind === "call" && kinds[index - 1] !== "call").length;
  return answers[rounds] ?? { text: "Done." };
}
