/** Starts programs under Node and Bun. */
import type { ChildProcess as NodeChild, StdioOptions } from "node:child_process";
import type { ChildProcess, ExitOfChild, StartOptions } from "./started_program.ts";
import { builtin, nodeProcess } from "./runtime.ts";
import { notFound } from "./system_error.ts";

/** Exit code that a shell gives for a process that a signal ended, without the signal's number. */
const KILLED = 128;

function stdioOf({ stdin, stdout, stderr }: StartOptions): StdioOptions {
  const names = { piped: "pipe", null: "ignore", inherit: "inherit" } as const;
  return [names[stdin], names[stdout], names[stderr]];
}

function statusOf(child: NodeChild): Promise<ExitOfChild> {
  const { signals } = builtin("node:os").constants;
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      const number = signal === null ? 0 : signals[signal];
      resolve({ code: code ?? KILLED + number, signal });
    });
  });
}

/** Starts a program; throws if it cannot be started, as Deno does. */
export function startUnderNode(program: string, options: StartOptions): ChildProcess {
  const { args, cwd, env = {}, clearEnv = false, detached = false } = options;
  const child = builtin("node:child_process").spawn(program, args, {
    cwd,
    env: clearEnv ? env : { ...nodeProcess.env, ...env },
    stdio: stdioOf(options),
    detached,
    windowsHide: true,
  });
  // Without a listener, the error that comes later would end the process.
  child.on("error", () => {});
  if (child.pid === undefined) throw notFound(`No such program: ${program}`);
  const { Readable, Writable } = builtin("node:stream");
  return {
    pid: child.pid,
    status: statusOf(child),
    get stdin(): ChildProcess["stdin"] {
      return Writable.toWeb(child.stdin!) as ChildProcess["stdin"];
    },
    get stdout(): ChildProcess["stdout"] {
      return Readable.toWeb(child.stdout!) as unknown as ChildProcess["stdout"];
    },
  };
}
