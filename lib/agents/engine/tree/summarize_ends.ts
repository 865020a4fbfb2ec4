/**
 * Summarizes a session of a tree format from both ends of its file, and from single lines between
 * them.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { Line } from "../../../core/log/line_splitter.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import { summary } from "../../../core/projection/summary.ts";
import type { AgentSession } from "../../contract/agent.ts";
import { present } from "../json.ts";
import { type EdgeOptions, type FileEdges, readEdges } from "../records/file_edges.ts";
import type { RowSummary } from "../row_summary.ts";

export interface EndEvents {
  events: LogEvent[];
  /** Ids of the records before the first prompt. Undefined if the head lacks some of them. */
  above: ReadonlySet<string> | undefined;
  /** True if the tail has a message or a call. */
  used: boolean;
  /** True if the last turn did not end. */
  open: boolean;
  last_error?: string | undefined;
}

interface EndReads {
  /** Bytes to read at each end of the file, one entry for each attempt. */
  edges: readonly EdgeOptions[];
  /** Returns the events of both file ends and of `between`. Undefined if more lines are needed. */
  eventsOf(
    session: AgentSession,
    edges: FileEdges,
    between?: readonly Line[],
  ): EndEvents | undefined;
  /** Returns the lines a list row needs. Undefined if the first prompt may be on another branch. */
  search(path: string, above: ReadonlySet<string>): Promise<readonly Line[] | undefined>;
}

/** Maximum file size, in bytes, at which a list's summary also searches the file's middle. */
const MOST_SEARCHED = 1024 * 1024 * 1024;

/** Returns a summarizer that reads a file's ends, and returns undefined if more is needed. */
export function summarizeEnds(
  { edges: sizes, eventsOf, search }: EndReads,
): (session: AgentSession) => Promise<RowSummary | undefined> {
  return async (session) => {
    for (const options of sizes) {
      const edges = readEdges(session.path, options);
      const found = eventsOf(session, edges);
      if (edges.whole) return found && rowOf(edges, found);
      if (found?.above === undefined || !found.used) continue;
      const between = edges.size > MOST_SEARCHED ? [] : await search(session.path, found.above);
      if (between === undefined) return undefined;
      // Another session may have been read into the same memory meanwhile.
      const again = readEdges(session.path, options);
      const told = eventsOf(session, again, between);
      return told && rowOf(again, told);
    }
    return undefined;
  };
}

function rowOf({ whole }: FileEdges, { events, open, last_error }: EndEvents): RowSummary {
  const log = { ...foldEvents(summary(), events), open, ...present({ last_error }) };
  // Between the ends there may be a later prompt than the first.
  if (!whole && log.last_user_message === log.first_user_message) delete log.last_user_message;
  return log;
}
