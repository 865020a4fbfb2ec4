/** Registers and runs tests that are written for Deno. */

/** What a test gets. */
interface TestContext {
  name: string;
  step(name: string, run: (context: TestContext) => unknown): Promise<boolean>;
}

type Run = (context: TestContext) => unknown;

interface TestOptions {
  name?: string;
  ignore?: boolean;
  fn?: Run;
}

/** A test that was registered. */
interface Registered {
  file: string;
  name: string;
  run: Run;
  ignored: boolean;
}

/** How a test ended. */
export interface Outcome {
  file: string;
  name: string;
  state: "passed" | "failed" | "ignored" | "skipped";
  error?: string;
}

const registered: Registered[] = [];
let file = "";

/** Says whose tests are registered from here on. */
export function testsOf(path: string): void {
  file = path;
}

/** Registers a test, in any of the forms that Deno knows. */
export function test(...parts: (string | TestOptions | Run)[]): void {
  const options = parts.find((part) => typeof part === "object") ?? {};
  const run = parts.find((part) => typeof part === "function") ?? options.fn;
  const name = parts.find((part) => typeof part === "string") ?? options.name ?? run?.name ?? "";
  if (run === undefined) throw new TypeError(`Test has no function: ${name}`);
  registered.push({ file, name, run, ignored: options.ignore ?? false });
}

const context: TestContext = {
  name: "",
  step: async (_, run) => {
    await run(context);
    return true;
  },
};

/** An error of a test, with those that it hides: of the test itself, and of what it disposed of. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return "suppressed" in error && "error" in error
    ? [text, errorText(error.error), errorText(error.suppressed)].join("\nhides: ")
    : text;
}

async function outcome({ file, name, run, ignored }: Registered): Promise<Outcome> {
  if (ignored) return { file, name, state: "ignored" };
  try {
    await run(context);
    return { file, name, state: "passed" };
  } catch (error) {
    return { file, name, state: "failed", error: errorText(error) };
  }
}

/** Runs each test that was registered, one after the other, but for some: by the end of file and name. */
export async function* runTests(skipped: readonly string[]): AsyncGenerator<Outcome> {
  for (const test of registered) {
    const { file, name } = test;
    const skips = skipped.some((end) => `${file}: ${name}`.endsWith(end));
    yield skips ? { file, name, state: "skipped" } : await outcome(test);
  }
}
