/** Renders the reports of pushes, pulls and store checks as lines of text. */
import type {
  FailedSession,
  PullReport,
  PushReport,
  StoreCheckReport,
} from "../../lib/features/team/sync_report.ts";
import { counted } from "../../lib/core/event/counted.ts";

type Format = (bytes: number) => string;

/** Maximum number of sessions that one line names. */
const NAMED = 5;

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).map(shortName).join(", ") + more;
}

export function shortName(ref: string): string {
  const [, before = "", id = ""] = /^(.*[/:])?(.*)$/.exec(ref) ?? [];
  return `${before}${id.slice(0, 8)}`;
}

export function pushLines(report: PushReport, format: Format): string[] {
  const { sessions, pushed, began, bytes, sent_bytes, withdrawn, failed, check } = report;
  const fresh = began > 0 ? ` (${began} new)` : "";
  const summary = pushed === 0
    ? `Nothing new: ${counted(sessions, "session")} shared`
    : `${counted(pushed, "session")} pushed${fresh}, ${format(bytes)}, ${format(sent_bytes)} sent`;
  return [
    summary,
    ...(withdrawn.length > 0
      ? [`Withdrawn on another machine, and not shared again: ${named(withdrawn)}`]
      : []),
    ...(check === undefined ? [] : checkLines(check, false)),
    ...failureLines(failed),
  ];
}

/** Renders a store check. With `all`, adds a line if the store has everything. */
export function checkLines(
  { sessions, restored, lost }: StoreCheckReport,
  all: boolean,
): string[] {
  const is_whole = restored.length + lost.length === 0;
  return [
    ...(all && is_whole
      ? [`The store has everything that this machine sent: ${counted(sessions, "session")}`]
      : []),
    ...(restored.length > 0
      ? [`Sent again, because the store lost or changed parts of them: ${named(restored)}`]
      : []),
    ...failureLines(lost),
  ];
}

export function pullLines(report: PullReport, format: Format): string[] {
  const { pulled, bytes, received_bytes, incomplete, failed } = report;
  const size = `${format(bytes)}, ${format(received_bytes)} received`;
  return [
    pulled.length === 0
      ? "Nothing new from other members"
      : `${counted(pulled.length, "session")} of other members: ${size}. To see them: reprise list`,
    ...(incomplete.length > 0
      ? [
        `Not all of ${[...new Set(incomplete)].join(", ")} has arrived in the store yet. If this ` +
        "does not change, run there: reprise sync check",
      ]
      : []),
    ...failureLines(failed),
  ];
}

function failureLines(failed: readonly FailedSession[]): string[] {
  return failed.map(({ session, message }) =>
    session === "" ? `reprise: ${message}` : `reprise: ${shortName(session)}: ${message}`
  );
}
