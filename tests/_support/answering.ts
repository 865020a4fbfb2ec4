/** A command's context at a terminal, where a person answers questions. */
import type { Context, DataOutput } from "../../commands/_context.ts";
import { cliEnvironment, type CliOptions } from "./cli.ts";

/** Where each question gets the next of the answers. Before each of them something may happen. */
export function answeringContext(
  { home, cwd = home, env = {} }: CliOptions,
  answers: readonly string[],
  meanwhile = (): void => {},
): { context: Context; said: () => string } {
  const variables = cliEnvironment({ home, env });
  let said = "";
  const output = (terminal: boolean): DataOutput => ({
    ...{ terminal, width: 80, height: 24 },
    write: (text) => void (said += text),
    writeBytes: () => {},
    sendBytes: () => Promise.resolve(),
  });
  const input = ReadableStream.from(answers.map((line) => new TextEncoder().encode(`${line}\n`)));
  const stdin = (): typeof input => {
    meanwhile();
    return input;
  };
  const context: Context = {
    ...{ cwd, variable: (name) => variables[name], now: () => new Date(), version: "1" },
    ...{ stdout: output(false), stderr: output(true), stdin, stdin_terminal: true },
  };
  return { context, said: () => said };
}
