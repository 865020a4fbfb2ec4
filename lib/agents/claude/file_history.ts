/**
 * Reads the contents of files that Claude Code recorded.
 *
 * In `toolUseResult`, an edit or a write has the file's previous content as `originalFile`. A read
 * of a whole file has the file's content. A `file-history-snapshot` record names copies in
 * `file-history/<session>/<hash>@v<n>`, with null for a file that did not exist (versions 2.0.28 to
 * 2.1.330). The snapshot's `messageId` is the id of a prompt. The copies show the files just before
 * that prompt.
 */
import { basename, dirname, join } from "node:path";
import { readShortFile, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";
import { readRecords } from "../engine/records/jsonl_records.ts";
import type { AgentSession } from "../contract/agent.ts";
import { contentOf, type FileContent, type KnownFile } from "../contract/file_history.ts";
import { subagentFiles } from "./subagent_files.ts";

const FOLDER = "file-history";
/** Name of a copy: the start of a hash of the file's path, and a version number. */
const COPY = /^[0-9a-f]{8,64}@v\d+$/;
const PLAIN_NAME = /^[\w-]+$/;

export async function* claudeFileHistory(session: AgentSession): AsyncGenerator<KnownFile> {
  yield* knownIn(session.path, session.id);
  for (const { path } of subagentFiles(session)) yield* knownIn(path, session.id);
}

async function* knownIn(path: string, id: string): AsyncGenerator<KnownFile> {
  for await (const batch of readRecords(path)) {
    for (const { value } of batch) {
      if (value.type === "file-history-snapshot") yield* snapshotFiles(value, path, id);
      else if (value.toolUseResult !== undefined) yield* resultFiles(value);
    }
  }
}

function* resultFiles({ uuid, toolUseResult }: Json): Generator<KnownFile> {
  const record = asName(uuid);
  const result = asObject(toolUseResult);
  if (record === undefined) return;
  const read = asObject(result.file);
  const read_path = asName(read.filePath);
  const text = asText(read.content);
  if (read_path !== undefined && text !== undefined) {
    // A part of a file says less than its lines.
    if (result.type !== "text" || read.startLine !== 1 || read.numLines !== read.totalLines) return;
    yield { record, before: false, path: read_path, content: text };
    return;
  }
  const path = asName(result.filePath);
  if (path === undefined) return;
  const original = result.type === "create" ? null : result.originalFile;
  if (original !== null && typeof original !== "string") return;
  // Results of failed edits have no patch.
  if (original === null && asList(result.structuredPatch).length > 0) return;
  yield { record, before: true, path, content: original };
}

function* snapshotFiles(value: Json, session: string, id: string): Generator<KnownFile> {
  const snapshot = asObject(value.snapshot);
  const record = asName(snapshot.messageId);
  if (record === undefined) return;
  for (const [path, backup] of Object.entries(asObject(snapshot.trackedFileBackups))) {
    const { backupFileName: name } = asObject(backup);
    const content = name === null ? null : copyOf(session, id, asText(name) ?? "");
    if (content !== undefined) yield { record, before: true, path, content };
  }
}

/** Reads a copy; undefined if it was deleted, is too long or has an unexpected name. */
function copyOf(session: string, id: string, name: string): FileContent | undefined {
  if (!COPY.test(name) || !PLAIN_NAME.test(id)) return undefined;
  const root = rootOf(session);
  if (root === undefined) return undefined;
  try {
    return contentOf(readShortFile(join(root, FOLDER, id, name), RECORDS_BYTES, { follow: false }));
  } catch {
    // Claude Code deletes old copies.
    return undefined;
  }
}

/** Returns the folder of settings and sessions: the parent of `projects`. */
function rootOf(path: string): string | undefined {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (basename(at) === "projects") return dirname(at);
  }
  return undefined;
}
