/** Scenes: steps as text, and below each what it must print. */

/** A line of a scene that does something, and the lines that it must print. */
export interface Step {
  line: string;
  stdin: string[];
  expected: string[];
}

/** One test of a file of scenes. */
export interface Scene {
  /** The rule that it proves. */
  rule: string;
  steps: Step[];
}

/** Reads a scene. Blank lines before a step are for the reader. */
export function sceneIn(text: string): Scene {
  const [head = "", ...lines] = text.split("\n");
  const steps: Step[] = [];
  for (const line of lines) {
    const step = steps.at(-1);
    if (/^[$+] /.test(line)) steps.push({ line, stdin: [], expected: [] });
    else if (line.startsWith("< ")) step?.stdin.push(line.slice(2));
    else step?.expected.push(line);
  }
  for (const { expected } of steps) while (expected.at(-1) === "") expected.pop();
  return { rule: head.slice(2), steps };
}

/** Writes a scene as the text that it is read from. */
export function textOf({ rule, steps }: Scene): string {
  const lines = steps.flatMap(({ line, stdin, expected }) => [
    line,
    ...stdin.map((one) => `< ${one}`),
    ...expected,
  ]);
  return [`= ${rule}`, ...lines].join("\n");
}
