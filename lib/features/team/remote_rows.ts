/** Lists what a store holds, without downloading sessions. */
import { REPRISE } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { teamRef } from "../../agents/contract/session_name.ts";
import { keyOf } from "./sealed/session_key.ts";
import type {
  BranchQuery,
  SharedBranch,
  SharedForm,
  SharedSummary,
  SharedWith,
  StoreGreeting,
  TeamStore,
} from "./team_store.ts";

/** A branch of a shared session, as a list shows it. */
export interface SharedRow {
  /** `team:[owner/]ID[@n]`; the owner only of others' sessions. */
  ref: string;
  /** The agent that keeps the original. */
  agent: string;
  /** The session's id in that agent. */
  session_id: string;
  /** The member who shares it. */
  owner: string;
  /** The branch's number, from 1. */
  branch: number;
  /** The id of the session's project. */
  project: string;
  form: SharedForm;
  visible: SharedWith;
  /** The label of the device that began the branch. */
  device: string;
  /** ISO time of the last push, by the store's clock. */
  changed_at: string;
  /** Number of plain bytes of the branch. */
  bytes: number;
  /** The session's title; absent if unknown or sealed. */
  title?: string;
  /** ISO time of the last event. */
  updated_at?: string;
  /** User and assistant messages. */
  message_count?: number;
  /** True if the session is sealed and no identity opens it. */
  is_sealed?: true;
}

/**
 * Lists the newest sessions of a store.
 *
 * @param store The connection. @param greeting As the store gave it.
 * @param query Which ones. @param identities Secret keys of age, for sealed rows.
 * @returns Rows, the newest push first.
 * @throws {SessionError} As the store.
 */
export async function listShared(
  store: TeamStore,
  greeting: Pick<StoreGreeting, "id" | "owner">,
  query: BranchQuery = {},
  identities: readonly string[] = [],
): Promise<SharedRow[]> {
  const branches = await store.summaries(query);
  return await Promise.all(branches.map((branch) => sharedRowOf(branch, greeting, identities)));
}

export type Summarized = SharedBranch & { summary?: SharedSummary };

export async function sharedRowOf(
  branch: Summarized,
  { id: store, owner: me }: Pick<StoreGreeting, "id" | "owner">,
  identities: readonly string[],
): Promise<SharedRow> {
  const { owner, session, n, project, form, visible, device, changed_at, len } = branch;
  const colon = session.indexOf(":");
  return {
    ref: teamRef({ session, n, owner: owner === me ? undefined : owner }),
    agent: colon < 0 ? REPRISE : session.slice(0, colon),
    session_id: session.slice(colon + 1),
    ...{ owner, branch: n, project, form, visible },
    device: device.label,
    ...{ changed_at, bytes: len },
    ...await shownOf(branch, store, identities),
  };
}

async function shownOf(
  branch: Summarized,
  store: string,
  identities: readonly string[],
): Promise<Pick<SharedRow, "title" | "updated_at" | "message_count" | "is_sealed">> {
  if (branch.summary === undefined) return {};
  const row = await openedRow(branch, store, identities);
  return row === undefined ? { is_sealed: true } : shownFields(row);
}

/** Returns a branch's summary; undefined if it has none, or no identity opens it. */
export async function openedRow(
  branch: Summarized,
  store: string,
  identities: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (branch.form !== "sealed" || branch.summary === undefined) return branch.summary?.row;
  if (identities.length === 0) return undefined;
  try {
    return (await keyOf(branch, store, identities)).openRow(branch.summary.row);
  } catch (error) {
    // For others, or damaged: reading it says which.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

function shownFields(
  { title, updated_at, message_count }: Readonly<Record<string, unknown>>,
): Pick<SharedRow, "title" | "updated_at" | "message_count"> {
  return present({
    title: typeof title === "string" ? title : undefined,
    updated_at: typeof updated_at === "string" ? updated_at : undefined,
    message_count: typeof message_count === "number" ? message_count : undefined,
  });
}
