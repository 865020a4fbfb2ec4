/** Finds the arguments of a call that are written for a person: plans, lists of tasks, questions. */
import { isObject } from "../../event/guard.ts";
import type { BlockBase, ProseBlock } from "./block.ts";

/** The arguments of a call, those for a person apart. */
export interface SpokenArguments {
  /** Plans, tasks and questions, as Markdown. */
  blocks: ProseBlock[];
  /** The other arguments; undefined where there are none. */
  rest: unknown;
}

/** Returns what a call says to a person, and its other arguments. */
export function spokenArguments(input: unknown, base: BlockBase): SpokenArguments {
  if (!isObject(input)) return { blocks: [], rest: input };
  const rest: Record<string, unknown> = {};
  const blocks: ProseBlock[] = [];
  for (const [name, value] of Object.entries(input)) {
    const text = Object.hasOwn(WRITERS, name) ? WRITERS[name]?.(value) : undefined;
    if (text === undefined || text.trim() === "") rest[name] = value;
    else blocks.push({ type: "prose", ...base, text, markup: "markdown" });
  }
  if (blocks.length === 0) return { blocks, rest: input };
  return { blocks, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

type Writer = (value: unknown) => string | undefined;

/** By the names that agents give to such arguments. */
const WRITERS: Readonly<Record<string, Writer>> = {
  plan: (value) => typeof value === "string" ? value : taskLines(value),
  todos: taskLines,
  question: (value) => typeof value === "string" ? value : undefined,
  questions: questionLines,
};

const DONE: ReadonlySet<unknown> = new Set(["completed", "done"]);

/** `- [x] a task`; undefined where the value is no list of tasks. */
function taskLines(value: unknown): string | undefined {
  return listOf(value, ({ content, description, step, status }) => {
    const task = [content, description, step].find((text) => typeof text === "string");
    if (task === undefined) return undefined;
    const note = status === "in_progress" ? " (in progress)" : "";
    return `- [${DONE.has(status) ? "x" : " "}] ${task}${note}`;
  });
}

/** A question, and below it its answers to choose from. */
function questionLines(value: unknown): string | undefined {
  return listOf(value, ({ question, options }) => {
    if (typeof question !== "string") return undefined;
    const answers = listOf(
      options ?? [],
      ({ label, description }) =>
        typeof label !== "string"
          ? undefined
          : `- ${label}${typeof description === "string" ? `: ${description}` : ""}`,
    );
    return answers === undefined || answers === "" ? question : `${question}\n\n${answers}\n`;
  });
}

/** The lines of a list; undefined where one of its items has none. */
function listOf(
  value: unknown,
  lineOf: (item: Record<string, unknown>) => string | undefined,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const lines = value.map((item) => isObject(item) ? lineOf(item) : undefined);
  return lines.every((line) => line !== undefined) ? lines.join("\n") : undefined;
}
