/**
 * A blamed file as a record of Agent Trace 0.1. Source of the form: cursor/agent-trace,
 * schemas/trace-record.json. The `url` of a conversation has a session's reference.
 */
import { present } from "../../core/event/present.ts";
import { sha256 } from "../../core/event/sha256.ts";
import { toJsonText } from "./json_lines.ts";

interface TracedRun {
  /** Number of the first line. The file's first line has number 1. */
  from: number;
  lines: readonly string[];
  grade: "proven" | "likely" | "unknown";
  /** The reference of the session that wrote the lines. Absent if it is unknown. */
  ref?: string | undefined;
}

interface TracedFile {
  /** The file's path relative to the repository; just its name outside a repository. */
  path: string;
  /** The commit that last changed the file; absent if git does not have one. */
  revision?: string | undefined;
  runs: readonly TracedRun[];
}

interface TraceOptions {
  id: string;
  time: Date;
  version: string;
}

/**
 * Groups lines by session, as conversations. Lines without a session have an unknown contributor: a
 * person, or an agent that keeps no sessions.
 */
export function agentTrace(
  { path, revision, runs }: TracedFile,
  { id, time, version }: TraceOptions,
): string {
  const sessions = new Map<string | undefined, TracedRun[]>();
  for (const run of runs) {
    const session = run.ref?.replace(/#\d+$/, "");
    sessions.set(session, [...sessions.get(session) ?? [], run]);
  }
  const record = present({
    version: "0.1",
    id,
    timestamp: time.toISOString(),
    vcs: revision === undefined ? undefined : { type: "git", revision },
    tool: { name: "reprise", version },
    files: [{
      path,
      conversations: [...sessions].map(([session, own]) =>
        present({
          url: session === undefined ? undefined : `reprise:${encodeURI(session)}`,
          contributor: { type: session === undefined ? "unknown" : "ai" },
          ranges: own.map(rangeOf),
        })
      ),
    }],
    // The form has no place for how certain a range is.
    metadata: {
      "reprise.grades": runs.flatMap(({ ref, grade, ...run }) =>
        ref === undefined ? [] : [{ ...rangeOf(run), grade, ref }]
      ),
    },
  });
  return `${toJsonText(record)}\n`;
}

function rangeOf(
  { from, lines }: Pick<TracedRun, "from" | "lines">,
): { start_line: number; end_line: number; content_hash: string } {
  const hash = sha256(new TextEncoder().encode(lines.join("\n")));
  return {
    start_line: from,
    end_line: from + lines.length - 1,
    content_hash: `sha256:${hash}`,
  };
}
