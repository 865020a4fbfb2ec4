/**
 * The `reprise` executable.
 *
 * @module
 */
import configuration from "./deno.json" with { type: "json" };
import { exitProcess, programArguments } from "./lib/core/platform/process.ts";
import { standardOutput } from "./lib/core/platform/standard_streams.ts";

const { version } = configuration;

async function answer(words: readonly string[]): Promise<string | undefined> {
  const [word = "", more] = words;
  if (more === undefined && ["--version", "-v", "-V"].includes(word)) return `${version}\n`;
  if (more !== undefined || !["--help", "-h", "help"].includes(word)) return undefined;
  return (await import("./commands/_program_help.ts")).shortHelp();
}

/** Prints the version or the help. Returns false if neither was asked for or the output failed. */
async function printedAnswer(words: readonly string[]): Promise<boolean> {
  const text = await answer(words);
  if (text === undefined) return false;
  try {
    const bytes = new TextEncoder().encode(text);
    return standardOutput().writeSync(bytes) === bytes.length;
  } catch {
    // Nobody reads it, or the disk is full: the long way reports it.
    return false;
  }
}

if (import.meta.main && !await printedAnswer(programArguments())) {
  const { runProcess } = await import("./commands/_run.ts");
  // Left by itself, the process would wait for a read of standard input that nobody needs any more.
  exitProcess(await runProcess(version));
}
