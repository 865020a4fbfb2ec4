/**
 * Titles, flags, tags and notes of shared sessions, between the marks of a data root and the store.
 * The latest wins. What one machine says of its own paths stays there.
 */
import { SessionError } from "../../core/event/session_error.ts";
import { statSync } from "../../core/platform/files.ts";
import { appendMark, type MarkSet, marksPath, readMarks } from "../../core/store/marks.ts";
import type { KnownMark, SyncState } from "./state/sync_state.ts";
import type { SharedForm, SharedMark, TeamStore } from "./team_store.ts";

type Field = SharedMark["field"];

/** The shared fields of marks, each with a check for its values. */
const FIELDS: Readonly<Record<Field, (value: unknown) => boolean>> = {
  title: isText,
  archived: isFlag,
  tags: (value) => Array.isArray(value) && value.every(isText),
  pinned: isFlag,
  note: isText,
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

interface PushedMarks {
  /** Number of marks that the store accepted. */
  sent: number;
  /** The store's reason for refusing marks; absent if it refused none. */
  refused?: string;
}

interface MarksToPush {
  store: TeamStore;
  state: SyncState;
  root: string;
  /** This device's id. */
  device: string;
  shared: ReadonlyMap<string, SharedForm>;
  /** True if there may be new marks to send even though the marks file is unchanged. */
  has_new: boolean;
}

/**
 * Sends the marks of shared sessions that the store lacks. A sealed session sends none, because a
 * title is text. A copy sends its texts without secrets.
 */
export async function pushMarks(given: MarksToPush): Promise<PushedMarks> {
  const { store, state, root, device, has_new } = given;
  const file = fileState(root);
  const isSame = file.every((fact, index) => fact === state.marks_file?.[index]);
  if (isSame && !has_new) return { sent: 0 };
  const marks = await marksToSend(given);
  if (marks.length === 0) {
    state.marks_file = file;
    return { sent: 0 };
  }
  try {
    const latest = await store.putMarks(marks);
    for (const { ref, field, time } of marks) note(state, ref, field, time);
    state.marks_file = file;
    return { sent: latest.filter(Boolean).length };
  } catch (error) {
    // A clock that is far ahead is no reason to send no session.
    const isRefused = error instanceof SessionError && error.code === "io";
    if (!isRefused) throw error;
    return { sent: 0, refused: `${error.message} (${device})` };
  }
}

function fileState(root: string): number[] {
  try {
    const { size, mtime } = statSync(marksPath(root));
    return [size, mtime?.getTime() ?? 0];
  } catch {
    // Nothing is marked.
    return [0, 0];
  }
}

async function marksToSend({ root, state, shared, device }: MarksToPush): Promise<SharedMark[]> {
  const found: SharedMark[] = [];
  for (const [ref, set] of readMarks(root, () => {})) {
    const form = shared.get(ref);
    if (form === undefined || form === "sealed") continue;
    for (const field of Object.keys(FIELDS) as Field[]) {
      const marked = set[field];
      const known = Object.hasOwn(state.marks, ref) ? state.marks[ref]?.[field] : undefined;
      if (marked === undefined || !isLater(marked.time, known)) continue;
      const value = form === "copy" ? await withoutSecrets(marked.value) : marked.value;
      found.push({ ref, field, value, time: marked.time, device: marked.device ?? device });
    }
  }
  return found;
}

async function withoutSecrets(value: NonNullable<MarkSet[Field]>["value"]): Promise<unknown> {
  if (typeof value === "boolean") return value;
  const { Redactor } = await import("../../text/redaction/redactor.ts");
  const redactor = new Redactor();
  const textOf = (text: string): string => redactor.text(text, "title");
  return typeof value === "string" ? textOf(value) : value.map(textOf);
}

/**
 * Takes the marks that the store has seen since the last time.
 *
 * @returns How many are in force here now.
 */
export async function pullMarks(
  store: TeamStore,
  state: SyncState,
  root: string,
  device: string,
): Promise<number> {
  const { marks, seen } = await store.marks(state.marks_seen);
  if (marks.length === 0) return 0;
  const here = readMarks(root, () => {});
  let taken = 0;
  for (const mark of marks) {
    note(state, mark.ref, mark.field, mark.time);
    if (mark.device === device || !isNews(mark, here.get(mark.ref), device)) continue;
    const { ref, field, value, time } = mark;
    appendMark(root, { ref, [field]: value, time, device: mark.device });
    taken++;
  }
  state.marks_seen = seen;
  return taken;
}

/** True if a mark is newer than the local one. At equal times, the greater device id wins. */
function isNews(mark: SharedMark, here: MarkSet | undefined, device: string): boolean {
  if (!Object.hasOwn(FIELDS, mark.field) || !FIELDS[mark.field](mark.value)) return false;
  if (Number.isNaN(Date.parse(mark.time))) return false;
  const known = here?.[mark.field];
  if (known === undefined || isLater(mark.time, known.time)) return true;
  return Date.parse(mark.time) === Date.parse(known.time) &&
    mark.device > (known.device ?? device);
}

function isLater(time: string, than: string | undefined): boolean {
  return than === undefined || Date.parse(time) > Date.parse(than);
}

/** Lets the next {@linkcode pushMarks} send the marks of a session again. */
export function forgetMarks(state: SyncState, ref: string): void {
  delete state.marks[ref];
  delete state.marks_file;
}

function note(state: SyncState, ref: string, field: Field, time: string): void {
  const known: KnownMark = Object.hasOwn(state.marks, ref) ? state.marks[ref] ?? {} : {};
  if (isLater(time, known[field])) state.marks[ref] = { ...known, [field]: time };
}
