/** Recognizes errors of the system by their codes, which Deno, Node and Bun share. */
import { isDeno, operatingSystem } from "./runtime.ts";

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

export function isNotFound(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || (isDeno && error instanceof Deno.errors.NotFound);
}

/** True if no file can have the name: it holds a NUL, or it is too long. */
export function isImpossibleName(error: unknown): boolean {
  if (codeOf(error) === "ENAMETOOLONG" || codeOf(error) === "ERR_INVALID_ARG_VALUE") return true;
  return error instanceof TypeError && /\bnul byte\b/i.test(error.message);
}

export function isAlreadyExists(error: unknown): boolean {
  return codeOf(error) === "EEXIST" || (isDeno && error instanceof Deno.errors.AlreadyExists);
}

export function isNotADirectory(error: unknown): boolean {
  return codeOf(error) === "ENOTDIR" || (isDeno && error instanceof Deno.errors.NotADirectory);
}

export function isPermissionDenied(error: unknown): boolean {
  const code = codeOf(error);
  return code === "EACCES" || code === "EPERM" ||
    (isDeno && error instanceof Deno.errors.PermissionDenied);
}

/** True if the runtime forbids an operation, as `deno run` does without `--allow-read`. */
export function isForbiddenByRuntime(error: unknown): boolean {
  return codeOf(error) === "ERR_ACCESS_DENIED" ||
    (isDeno && error instanceof Deno.errors.NotCapable);
}

export function isBrokenPipe(error: unknown): boolean {
  return codeOf(error) === "EPIPE" || (isDeno && error instanceof Deno.errors.BrokenPipe);
}

/**
 * True if Windows refuses a file that another handle has open or locked. Deno identifies the
 * refusal only by the numbers 32 and 33 in the message. The cause of a typed error is checked too.
 */
export function isBusy(error: unknown): boolean {
  if (operatingSystem !== "windows" || !(error instanceof Error)) return false;
  return codeOf(error) === "EBUSY" || /\(os error 3[23]\)/.test(error.message) ||
    isBusy(error.cause);
}

export function isOutOfDescriptors(error: unknown): boolean {
  const { message, cause } = error instanceof Error ? error : { message: "", cause: undefined };
  return codeOf(error) === "EMFILE" || codeOf(error) === "ENFILE" ||
    /\(os error 2[34]\)/.test(message) || (cause !== undefined && isOutOfDescriptors(cause));
}

export function isInterrupted(error: unknown): boolean {
  return codeOf(error) === "EINTR" || (isDeno && error instanceof Deno.errors.Interrupted);
}

export function isNotSupported(error: unknown): boolean {
  return codeOf(error) === "ENOTSUP" || codeOf(error) === "EOPNOTSUPP" ||
    (isDeno && error instanceof Deno.errors.NotSupported);
}

export function notFound(message = "No such file or directory"): Error {
  return Object.assign(new Error(message), { code: "ENOENT" });
}

export function brokenPipe(message: string): Error {
  return Object.assign(new Error(message), { code: "EPIPE" });
}
