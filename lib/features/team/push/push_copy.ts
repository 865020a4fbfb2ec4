/** Sends the part of a session's copy that differs from what was already sent. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import { type CopyPart, parsePart, partHash, partName } from "../objects/copy_parts.ts";
import { fitsKey, sessionCopy } from "../objects/object_keys.ts";
import { packBytes } from "../objects/part_codec.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import { knownSession, type SyncedSession } from "../state/sync_state.ts";
import { compareCopy } from "./compare_copy.ts";
import { copyChunks, surveySession } from "./copy_of_session.ts";
import type { CutLines } from "./line_cutter.ts";
import { placeIn, type PushRun, RefusedProject, stateOf } from "./push_run.ts";
import { pathReplacer } from "./shared_paths.ts";

/** Milliseconds after a change in which a source may change again with the same mtime. */
const SETTLED_MS = 2000;
/**
 * Number of small parts that are joined if they end a copy. They are sent again as one part, so
 * that listings stay short.
 */
const JOINED = 64;
const SMALL_BYTES = 256 * 1024;

/**
 * Pushes one session. The session's record changes after all its parts were sent.
 *
 * @throws {RefusedProject} if the store refuses the project.
 * @throws {SessionError} The errors of reading the session, and of the store.
 */
export async function pushCopy(run: PushRun, share: SessionToShare): Promise<void> {
  const { state, report, changed, now } = run;
  const { id, project: { project }, state: seen } = share;
  if (!fitsKey(id)) {
    throw new SessionError("too-large", `Cannot share session: its id is too long: ${id}`);
  }
  const before = knownSession(state, id);
  const known = before?.project === project ? before : undefined;
  const sent = await sendChanges(run, share, known);
  if (before !== undefined && known === undefined) {
    await removeParts(run, id, before, before.parts);
    changed.add(before.project);
  }
  const is_fresh = now.getTime() - seen.changed < SETTLED_MS;
  const { edition, parts } = sent;
  state.sessions[id] = { project, state: is_fresh ? [] : stateOf(seen), edition, parts };
  if (sent.bytes === 0 && sent.gone.length === 0) return;
  changed.add(project);
  report.bytes += sent.bytes;
  report.pushed++;
  if (before === undefined || before.parts.length === 0) report.began++;
  await removeParts(run, id, { project }, sent.gone);
}

interface SentChanges extends Pick<SyncedSession, "edition" | "parts"> {
  bytes: number;
  /** Names of the copy's old parts that new parts replace, to be deleted from the store. */
  gone: string[];
}

async function sendChanges(
  run: PushRun,
  share: SessionToShare,
  known: SyncedSession | undefined,
): Promise<SentChanges> {
  const there = (known?.parts ?? []).flatMap((name) => parsePart(name) ?? []);
  const chunks = await chunksOf(run.library, share);
  try {
    const { same, rest } = await compareCopy(chunks, withoutSmallEnd(there));
    const { edition: last = 0 } = known ?? {};
    const is_cut = same < there.length;
    const edition = is_cut ? last + 1 : Math.max(last, 1);
    const parts = there.slice(0, same);
    let bytes = 0;
    for await (const cut of rest) {
      parts.push(await putPart(run, share, edition, cut));
      bytes += cut.bytes.length;
    }
    // A shorter copy ends with an empty part, which replaces the former end.
    if (is_cut && parts.length === same) {
      const { off, len } = parts.at(-1) ?? { off: 0, len: 0 };
      parts.push(await putPart(run, share, edition, { off: off + len, bytes: new Uint8Array() }));
    }
    const gone = there.slice(same).map(({ name }) => name);
    return { edition, parts: parts.map(({ name }) => name), bytes, gone };
  } finally {
    await chunks.return(undefined);
  }
}

async function chunksOf(
  library: Library,
  { session, project }: SessionToShare,
): Promise<AsyncGenerator<Uint8Array>> {
  const handle = await library.entry(session).open();
  const rewrite = pathReplacer(project, library.place.environment.home);
  return copyChunks(await surveySession(handle, await handle.summary(), rewrite));
}

/**
 * Leaves out the small parts at the end if there are many, because they are sent again as one part.
 */
function withoutSmallEnd(parts: readonly CopyPart[]): readonly CopyPart[] {
  const large = parts.findLastIndex(({ len }) => len > SMALL_BYTES);
  return parts.length - large > JOINED ? parts.slice(0, large + 1) : parts;
}

async function putPart(
  run: PushRun,
  { id, project: { project } }: SessionToShare,
  edition: number,
  { off, bytes: plain }: CutLines,
): Promise<CopyPart> {
  const { codec, bytes } = packBytes(plain);
  const at = Math.floor(run.now.getTime() / 1000);
  const part = {
    ...{ edition, off, len: plain.length, sha: partHash(plain), at, size: bytes.length, codec },
  };
  const name = partName(part);
  try {
    await run.team.objects.put(sessionCopy(placeIn(run, project), id) + name, bytes);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "permission") throw error;
    throw new RefusedProject(error.code, error.message, error.data, error);
  }
  return { ...part, name };
}

export async function removeParts(
  run: PushRun,
  id: string,
  { project }: Pick<SyncedSession, "project">,
  names: readonly string[],
): Promise<void> {
  const folder = sessionCopy(placeIn(run, project), id);
  for (const name of names) await run.team.objects.delete(folder + name);
}
