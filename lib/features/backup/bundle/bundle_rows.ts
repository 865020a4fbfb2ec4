/** The part of a bundle that holds the rows of a session from its agent's database. */
import { joinBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import { agentPlaces } from "../../../agents/contract/agent_roots.ts";
import type { SentRows, SessionRows } from "../../../agents/contract/session_rows.ts";
import { descriptorOf } from "../../../library/machine/registry.ts";
import type { SealKeys } from "../../../text/seal/open_sealed.ts";
import { readBundle } from "./bundle_stream.ts";
import type { BundleManifest } from "./manifest.ts";
import { type DirectoryMove, movedPath } from "./moved_records.ts";

/** A checked bundle whose session is rows of a database. */
export interface RowsBundle {
  path: string;
  keys: SealKeys;
  manifest: BundleManifest;
  move: DirectoryMove;
}

export function hasRows({ parts: [main] }: Pick<BundleManifest, "parts">): boolean {
  return main?.kind === "rows";
}

/**
 * @returns A function that removes the session again.
 * @throws {SessionError} As `readBundle` and `SessionRows.add`
 */
export async function placeRows(
  bundle: RowsBundle,
  environment: AgentEnvironment,
): Promise<() => void> {
  const { rows, sent } = await readRows(bundle);
  const [place] = agentPlaces(descriptorOf(bundle.manifest.agent), environment);
  if (place === undefined) throw noDatabase();
  return rows.add(place, sent);
}

/**
 * Writes the session to a new database below a folder.
 *
 * @returns The session's reference.
 * @throws {SessionError} As `readBundle` and `SessionRows.stage`
 */
export async function stageRows(bundle: RowsBundle, folder: string): Promise<string> {
  const { rows, sent } = await readRows(bundle);
  return rows.stage(folder, sent);
}

async function readRows(
  { path, keys, manifest, move }: RowsBundle,
): Promise<{ rows: SessionRows; sent: SentRows }> {
  const rows = await descriptorOf(manifest.agent).loadRows?.();
  if (rows === undefined) throw noDatabase();
  const pieces: Uint8Array[] = [];
  await readBundle(path, keys, ({ kind }) => {
    return kind === "rows" ? { write: (piece) => pieces.push(piece.slice()) } : undefined;
  });
  const text = new TextDecoder().decode(joinBytes(pieces));
  const moved: SentRows["moved"] = (directory) => movedPath(directory, move) ?? directory;
  return { rows, sent: { id: manifest.id, text, moved } };
}

function noDatabase(): SessionError {
  const message = "Cannot take the sent session: its agent has no database for sessions here";
  return new SessionError("unsupported-source", message);
}
