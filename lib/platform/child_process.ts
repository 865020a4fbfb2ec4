/** Starts other programs. */
import { startUnderNode } from "./node_child_process.ts";
import { isDeno } from "./runtime.ts";
import type { ChildProcess, StartOptions } from "./started_program.ts";

/**
 * Starts a program.
 *
 * @throws What the system says, as where there is no such program.
 */
export function startProgram(program: string, options: StartOptions): ChildProcess {
  return isDeno ? new Deno.Command(program, options).spawn() : startUnderNode(program, options);
}
