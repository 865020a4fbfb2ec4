/** The command under each runtime. */
import { fileURLToPath } from "node:url";
import { cliEnvironment } from "../_support/cli.ts";
import { installedPackage } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";

/** How a command ended. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command line with a home of its own. */
export interface CommandLine {
  program: string;
  args: string[];
  home: string;
}

/** Runs a command, and gives what it wrote but for the time of now. */
export async function run(
  { program, args, home }: CommandLine,
  more: string[],
  input = "",
): Promise<Ran> {
  const child = new Deno.Command(program, {
    args: [...args, ...more],
    cwd: home,
    clearEnv: true,
    env: cliEnvironment({ home }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: withoutNow(decoder.decode(stdout)), stderr: decoder.decode(stderr) };
}

/** Output without the time at which it was made. */
function withoutNow(text: string): string {
  return text.replaceAll(/Exported <time[^>]*>[^<]*<\/time>/g, "Exported");
}

/** The command under Deno, from its source. */
export const deno = {
  program: Deno.execPath(),
  args: ["run", "-A", "--quiet", fileURLToPath(new URL("main.ts", ROOT))],
};

/** The command from the package under each runtime. */
export async function commandLines(): Promise<{ name: string; program: string; args: string[] }[]> {
  const { runtimes, command } = await installedPackage();
  return runtimes.map(({ name, program }) => ({ name, program, args: [command] }));
}
