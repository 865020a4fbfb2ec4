/** Reads settings files in the data root, and replaces them atomically with private files. */
import { draftPath } from "../file/draft_file.ts";
import { errorText } from "../event/error_text.ts";
import { dirname } from "node:path";
import { SessionError, type SessionErrorCode } from "../event/session_error.ts";
import { readShortText, SETTINGS_BYTES } from "../file/short_file.ts";
import { removeQuietly } from "../file/remove_quietly.ts";
import {
  mkdirSync,
  openSync,
  readLinkSync,
  renameSync,
  writeTextFileSync,
} from "../platform/files.ts";
import { isNotFound, isPermissionDenied } from "../platform/system_error.ts";

/** Matches errors of a full disk, a quota or a size limit. Some of them have no code in Deno. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG)$|\b(?:quota exceeded|file too large) \(os error/i;

const ADVICE: Partial<Record<SessionErrorCode, string>> = {
  "disk-full": "the disk is full; free some space and try again",
  "permission": "permission denied; check the owner and the mode of the path",
};

function codeOf(error: unknown): SessionErrorCode {
  if (isPermissionDenied(error)) return "permission";
  const { code = "", message = "" } = error as { code?: string; message?: string };
  return FULL.test(code) || FULL.test(message) ? "disk-full" : "io";
}

function failure(action: string, path: string, error: unknown): SessionError {
  const code = codeOf(error);
  const reason = ADVICE[code] ?? errorText(error);
  return new SessionError(code, `Cannot ${action}: ${reason}: ${path}`, { path }, error);
}

/**
 * Follows a link, because people keep their settings in other folders.
 *
 * @returns The file's text; undefined if there is no file.
 * @throws {SessionError} `unsupported-source`, `permission`, `io`
 */
export function readSettingsText(path: string): string | undefined {
  try {
    return readShortText(path, SETTINGS_BYTES, { what: "settings" });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof SessionError) throw error;
    throw failure("read settings", path, error);
  }
}

/**
 * Replaces a settings file in one step, readable by its owner alone. A reader sees the old text or
 * the new text.
 *
 * @throws {SessionError} `unsafe-store` if the path is a link; `permission`, `disk-full`, `io`,
 * with the file unchanged.
 */
export function writeSettingsText(path: string, text: string): void {
  refuseLink(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceText(path, text);
  } catch (error) {
    throw failure("write settings", path, error);
  }
}

function replaceText(path: string, text: string): void {
  const draft = draftPath(path);
  try {
    writeTextFileSync(draft, text, { mode: 0o600, createNew: true });
    syncFile(draft);
    renameSync(draft, path);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}

/** Throws for a link: it may lead outside the data root, and must not be replaced by a file. */
function refuseLink(path: string): void {
  let target: string;
  try {
    target = readLinkSync(path);
  } catch {
    return;
  }
  const message = `Cannot write settings: ${path} is a link; change the file ${target} itself`;
  throw new SessionError("unsafe-store", message, { path });
}

/** Syncs a file before it is renamed. Otherwise a power cut could lose both old and new text. */
function syncFile(path: string): void {
  using file = openSync(path, { write: true });
  file.syncSync();
}
