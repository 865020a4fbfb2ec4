/** Turns platform errors into typed errors whose message says what to do. */
import { errorText } from "../event/error_text.ts";
import { SessionError, type SessionErrorCode } from "../event/session_error.ts";
import { isNotFound, isOutOfDescriptors, isPermissionDenied } from "../platform/system_error.ts";

const CODES: Readonly<Record<string, SessionErrorCode>> = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EFBIG: "disk-full",
  EACCES: "permission",
  EPERM: "permission",
  EROFS: "permission",
  ENOENT: "not-found",
};

const ADVICE: Partial<Record<SessionErrorCode, string>> = {
  "disk-full": "the disk is full; free some space and try again",
  "permission": "permission denied; check the owner and the mode of the path",
  "not-found": "no such file or directory",
};

const READ_ONLY = "the file system is read-only; set REPRISE_HOME to use a store elsewhere";

/** The advice for too many open files. A server needs a descriptor for each open session. */
const NO_DESCRIPTORS =
  "too many open files; end sessions, or allow more open files (ulimit -n) and start again";

/** SQLite's `errcode` for a full disk. All SQLite errors have the same `code`. */
const SQLITE_FULL = 13;
const SQLITE_ERROR = "ERR_SQLITE_ERROR";

/** Messages of Deno's errors that lack a `code`, with the POSIX code that each stands for. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^database or disk is full$/, "ENOSPC"],
  [/\bfile too large \(os error/i, "EFBIG"],
  [/\bquota exceeded \(os error/i, "EDQUOT"],
];

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (errcode === SQLITE_FULL) return "ENOSPC";
  if (code !== undefined && code !== SQLITE_ERROR) return code;
  if (isNotFound(error)) return "ENOENT";
  if (isPermissionDenied(error)) return "EACCES";
  return WORDS.find(([words]) => words.test(error.message))?.[1];
}

/** SQLite's READONLY, IOERR, CORRUPT, FULL, CANTOPEN and NOTADB: failures of disk or file. */
const SQLITE_OF_FILES: ReadonlySet<number> = new Set([8, 10, 11, SQLITE_FULL, 14, 26]);

/**
 * True for an error of the operating system or of SQLite's files. All other errors are bugs of
 * Reprise, aborts, or typed errors.
 */
export function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof SessionError) return false;
  const { code = "", errcode } = error as { code?: unknown; errcode?: number };
  if (code === SQLITE_ERROR) return SQLITE_OF_FILES.has((errcode ?? 0) & 0xff);
  return /^E(?!RR_)[A-Z0-9]+$/.test(String(code)) || /\(os error \d+\)/.test(error.message);
}

export function typedIfSystem(error: unknown, action: string, path: string): unknown {
  return isSystemError(error) ? toSessionError(error, action, path) : error;
}

/** Returns an error that names the failed `action`, such as "write event". */
export function toSessionError(error: unknown, action: string, path: string): SessionError {
  if (error instanceof SessionError) return error;
  const code = CODES[systemCode(error) ?? ""] ?? "io";
  return new SessionError(code, `Cannot ${action}: ${reasonOf(error)}: ${path}`, { path }, error);
}

export function reasonOf(error: unknown): string {
  const system = systemCode(error) ?? "";
  if (isOutOfDescriptors(error)) return NO_DESCRIPTORS;
  return (system === "EROFS" ? READ_ONLY : ADVICE[CODES[system] ?? "io"]) ?? errorText(error);
}
