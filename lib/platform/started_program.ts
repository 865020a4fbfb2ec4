/** Starting a program: what it gets, and what is known of it. */

/** Options to start a program. */
export interface StartOptions {
  args: string[];
  cwd?: string;
  /** Added to the environment, or all of it with `clearEnv`. */
  env?: Record<string, string>;
  clearEnv?: boolean;
  stdin: "piped" | "inherit" | "null";
  stdout: "piped" | "inherit" | "null";
  stderr: "inherit" | "null";
  /** True for a process group of its own. */
  detached?: boolean;
}

/** How a program ended. */
export interface ExitOfChild {
  code: number;
  signal: string | null;
}

/** A program that was started. */
export interface ChildProcess {
  readonly pid: number;
  readonly status: Promise<ExitOfChild>;
  /** What was not asked to be piped must not be read. */
  readonly stdin: WritableStream<Uint8Array<ArrayBufferLike>>;
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
}
