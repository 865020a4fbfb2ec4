/** Makes Markdown of a call's arguments for people: plans, tasks, questions and prompts. */
import { isObject } from "../../../core/event/guard.ts";
import type { BlockBase, ProseBlock } from "./block.ts";
import { isProse } from "./known_tools.ts";

interface SpokenArguments {
  blocks: ProseBlock[];
  /** The arguments that are not in `blocks`. Undefined if there are none. */
  rest: unknown;
}

export function spokenArguments(
  tool: string,
  input: unknown,
  base: BlockBase,
): SpokenArguments {
  if (!isObject(input)) return { blocks: [], rest: input };
  const rest: Record<string, unknown> = {};
  const blocks: ProseBlock[] = [];
  for (const [name, value] of Object.entries(input)) {
    const text = typeof value === "string" && isProse(tool, name)
      ? value
      : Object.hasOwn(WRITERS, name)
      ? WRITERS[name]?.(value)
      : undefined;
    if (text === undefined || text.trim() === "") rest[name] = value;
    else blocks.push({ type: "prose", ...base, text, markup: "markdown" });
  }
  if (blocks.length === 0) return { blocks, rest: input };
  return { blocks, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

type Writer = (value: unknown) => string | undefined;

/** Functions that return an argument as Markdown, by the argument's usual name. */
const WRITERS: Readonly<Record<string, Writer>> = {
  plan: (value) => typeof value === "string" ? value : taskLines(value),
  todos: taskLines,
  todoList: taskLines,
  question: (value) => typeof value === "string" ? value : undefined,
  questions: questionLines,
};

const DONE: ReadonlySet<unknown> = new Set(["completed", "done"]);

/** Returns `- [x] a task` for each task. Undefined if the value is no list of tasks. */
function taskLines(value: unknown): string | undefined {
  return listOf(value, ({ content, title, description, step, status }) => {
    const task = [content, title, description, step].find((text) => typeof text === "string");
    if (task === undefined) return undefined;
    const note = status === "in_progress" ? " (in progress)" : "";
    return `- [${DONE.has(status) ? "x" : " "}] ${task}${note}`;
  });
}

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

/** Returns undefined for values that are no list, or if an item has no line. */
function listOf(
  value: unknown,
  lineOf: (item: Record<string, unknown>) => string | undefined,
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const lines = value.map((item) => isObject(item) ? lineOf(item) : undefined);
  return lines.every((line) => line !== undefined) ? lines.join("\n") : undefined;
}
