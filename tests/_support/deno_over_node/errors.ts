/** The errors of Deno that tests name: system errors, told apart by their codes. */

class Coded extends Error {
  static readonly code: string;
  readonly code: string;

  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && "code" in error && error.code === this.code;
  }

  constructor(message?: string) {
    super(message);
    this.code = (this.constructor as typeof Coded).code;
  }
}

function coded(code: string): typeof Coded {
  return class extends Coded {
    static override readonly code = code;
  };
}

export const errors: Record<string, typeof Coded> = {
  NotFound: coded("ENOENT"),
  AlreadyExists: coded("EEXIST"),
  PermissionDenied: coded("EACCES"),
  NotADirectory: coded("ENOTDIR"),
  Interrupted: coded("EINTR"),
  BrokenPipe: coded("EPIPE"),
};
