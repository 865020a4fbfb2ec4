/** Finds the session in an encrypted file, or describes the content that is not a session. */
import { basename } from "node:path";
import { REPRISE } from "../../../core/event/agent_name.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { FileHead } from "../../../core/log/read_whole.ts";
import { readEventsOf } from "../../../core/log/read_events.ts";
import { wantsPassphrase } from "../../../text/seal/age_file.ts";
import type { SealKeys } from "../../../text/seal/open_sealed.ts";
import { sealedSource } from "../../../text/seal/sealed_source.ts";
import { isJsonDocument, isOwnLog } from "../../../core/store/recognize_log.ts";
import type { Agent, SessionReader } from "../../../agents/contract/agent.ts";
import { descriptorOf } from "../registry.ts";
import { type SealedLogKeys, sealedReader } from "./sealed_reader.ts";

/**
 * The keys of encrypted files, or a function that returns a file's keys once they are needed.
 * `passphrase` is true if a passphrase opens the file, and false if identities do.
 */
export type SealKeySource =
  | SealKeys
  | ((file: { path: string; passphrase: boolean }) => SealKeys | Promise<SealKeys>);

export type SealedFile = Parameters<Extract<SealKeySource, (file: never) => unknown>>[0];

const HEAD_BYTES = 64 * 1024;

async function keysFor(path: string, head: Uint8Array, source: SealKeySource): Promise<SealKeys> {
  if (typeof source !== "function") return source;
  return await source({ path, passphrase: await wantsPassphrase(head) });
}

async function readContentHead(path: string, keys: SealedLogKeys): Promise<FileHead> {
  const bytes = new Uint8Array(HEAD_BYTES);
  let filled = 0;
  for await (const chunk of sealedSource(path, keys).readable) {
    const part = chunk.subarray(0, HEAD_BYTES - filled);
    bytes.set(part, filled);
    filled += part.length;
    if (part.length < chunk.length) return { bytes, whole: false };
  }
  return { bytes: bytes.subarray(0, filled), whole: true };
}

/** Returns the session's id from the log. Falls back to the file name without `session_started`. */
async function sessionId(path: string, keys: SealedLogKeys): Promise<string> {
  for await (const events of readEventsOf(sealedSource(path, keys))) {
    for (const event of events) {
      if (event.form !== "known" || event.kind !== "session_started") break;
      return event.payload.session_id;
    }
    break;
  }
  return basename(path);
}

function describeContent(
  path: string,
  head: FileHead,
  agents: readonly Agent[],
): string {
  const text = new TextDecoder().decode(head.bytes.subarray(0, 1024)).trimStart();
  if (text === "") return "nothing";
  if (/^<!doctype html/i.test(text)) return "an HTML document";
  if (isJsonDocument(head)) return "a JSON export";
  const agent = agents.find((one) => one.recognize(path, head.bytes));
  if (agent !== undefined) return `a file of ${descriptorOf(agent.name).title}`;
  return text.startsWith("# ") ? "a Markdown document" : "data of an unknown kind";
}

/**
 * Finds the session in an encrypted file.
 *
 * @param head The file's first bytes.
 * @param agents Returns the agents, which recognize other content to name it in the error.
 * @throws {SessionError} `encrypted` where no key opens the file, `damaged` where it was changed or
 * cut, `unsupported-source` where its content is not a log, `not-found`, `permission`, `io`
 */
export async function findSealed(
  path: string,
  head: Uint8Array,
  source: SealKeySource,
  agents: () => Promise<readonly Agent[]>,
): Promise<SessionReader> {
  const keys = { ...await keysFor(path, head, source), file_keys: new Map<string, Uint8Array>() };
  const content = await readContentHead(path, keys);
  if (content.bytes.length > 0 && isOwnLog(content)) {
    const id = await sessionId(path, keys);
    return sealedReader({ agent: REPRISE, id, path }, keys);
  }
  const what = describeContent(path, content, await agents());
  const message = `Cannot read session: the encrypted file contains ${what}, not a session log. ` +
    `To decrypt the file: age -d -i KEYFILE -o FILE ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}
