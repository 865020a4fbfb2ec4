/** Moves the rows of a session to OpenCode's database on another machine. */
import type { SessionRows } from "../../contract/session_rows.ts";
import { addRows, stageRows } from "./add_rows.ts";
import { readRows } from "./read_rows.ts";

export const opencodeRows: SessionRows = { read: readRows, add: addRows, stage: stageRows };
