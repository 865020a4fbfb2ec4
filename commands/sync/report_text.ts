/** Renders the reports of pushes and pulls, and the terms of sharing. */
import type {
  PullReport,
  PushReport,
  StoreCheckReport,
} from "../../lib/features/team/sync_report.ts";
import { counted } from "../../lib/core/event/counted.ts";
import type { SharedForm, SharingTerms } from "../../lib/features/team/team_store.ts";

export const FORM_WORDS: Readonly<Record<SharedForm, string>> = {
  copy: "redacted copies",
  log: "exact logs",
  sealed: "encrypted logs",
};

export function termsText({ project, form, visible }: SharingTerms): string {
  const readers = visible === "private" ? "for you alone" : "for the team";
  return `${FORM_WORDS[form]} of ${project}, ${readers}`;
}

type Format = (bytes: number) => string;

/** Maximum sessions in one line. */
const NAMED = 5;

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : "";
  return names.slice(0, NAMED).map(shortName).join(", ") + more;
}

/** Shortens the id in a reference to eight characters. */
export function shortName(ref: string): string {
  const [, before = "", id = "", behind = ""] = /^(.*[/:])?([^@]*)(@\d+)?$/.exec(ref) ?? [];
  return `${before}${id.slice(0, 8)}${behind}`;
}

/** Renders the report of a push, the summary first. */
export function pushLines(report: PushReport, format: Format): string[] {
  const { sessions, pushed, began, bytes, sent_bytes, branches, behind, marks } = report;
  const { withdrawn, other_terms, sealed_anew, left_out, failed, marks_refused, check } = report;
  const { replaced } = report;
  const fresh = began > 0 ? ` (${began} new)` : "";
  const titles = marks > 0 ? `, ${counted(marks, "title or flag")}` : "";
  const summary = pushed === 0 && marks === 0
    ? `Nothing new: ${counted(sessions, "session")} shared`
    : `${counted(pushed, "session")} pushed${fresh}, ${format(bytes)}, ${
      format(sent_bytes)
    } sent${titles}`;
  return [
    summary,
    ...branches.map(({ session, n }) =>
      `Session ${shortName(session)} was continued on two machines, each in its ` +
      `own way. The events from this machine were sent as team:${shortName(session)}@${n}; ` +
      "see: reprise sync status"
    ),
    ...(behind.length > 0
      ? [
        `Continued on another machine: ${counted(behind.length, "session")}. To fetch the new ` +
        "events: reprise sync pull",
      ]
      : []),
    ...(withdrawn.length > 0
      ? [`Deleted from the store, and not shared again: ${named(withdrawn)}`]
      : []),
    ...(replaced.length > 0
      ? [
        `Replaced in the store, because secrets were scrubbed here: ${named(replaced)}. Other ` +
        "machines that have these sessions keep the secrets: delete the sessions there",
      ]
      : []),
    ...(sealed_anew.length > 0
      ? [
        "These sessions were encrypted again with a new key, because you asked for it, or because " +
        `their old key does not come from a machine that you trust: ${named(sealed_anew)}`,
      ]
      : []),
    ...otherTermsLines(other_terms),
    ...(left_out > 0
      ? [
        "Not sent, because only sessions of Reprise can be encrypted: " +
        `${counted(left_out, "session")} of agents other than Reprise`,
      ]
      : []),
    ...(check === undefined ? [] : checkLines(check, false)),
    ...(marks_refused === undefined ? [] : [`reprise: ${marks_refused}`]),
    ...failureLines(failed),
  ];
}

/** Renders the comparison of the store with what was sent. @param all True to say that all is there. */
export function checkLines(
  { sessions, restored, cut, lost }: StoreCheckReport,
  all: boolean,
): string[] {
  const there = restored + cut.length + lost.length === 0
    ? `The store has everything that this machine sent: ${counted(sessions, "session")}`
    : "";
  return [
    ...(all && there !== "" ? [there] : []),
    ...(restored > 0
      ? [`Sent again, because the store lost or changed them: ${counted(restored, "file")}`]
      : []),
    ...(cut.length > 0
      ? [`Sent again, from the place where the store lost data: ${named(cut)}`]
      : []),
    ...failureLines(lost),
  ];
}

/** Lists sessions that are shared under other terms, and says how to replace them. */
function otherTermsLines(others: PushReport["other_terms"]): string[] {
  const groups = Map.groupBy(
    others,
    ({ shared, wanted }) =>
      `the store has ${termsText(shared)}, but this machine's settings say ${termsText(wanted)}`,
  );
  return [
    ...[...groups].map(([text, group]) =>
      `Changes not sent: ${named(group.map(({ session }) => session))}: ${text}`
    ),
    ...(others.length === 0 ? [] : [
      "To delete these sessions from the store, and share them again with this machine's " +
      "settings: reprise sync push --replace",
    ]),
  ];
}

/** Renders the report of a pull, the summary first. */
export function pullLines(report: PullReport, format: Format): string[] {
  const { adopted, extended, mirrored, bytes, received_bytes, relinked, marks } = report;
  const { diverged, untrusted, incomplete, busy, sealed, failed } = report;
  const own = adopted.length + extended.length;
  const parts = [
    ...(own > 0
      ? [
        `${counted(own, "session")} updated on this machine ` +
        `(${adopted.length} of them new here)`,
      ]
      : []),
    ...(mirrored.length > 0 ? [`${mirrored.length} readable as team:…`] : []),
    ...(marks > 0 ? [counted(marks, "title or flag")] : []),
  ];
  const size = `${format(bytes)}, ${format(received_bytes)} received`;
  return [
    parts.length === 0 ? "Nothing new" : `${parts.join(", ")}: ${size}`,
    ...relinked.map(({ from, to }) =>
      `On this machine, sessions from ${from} are listed under ${to}`
    ),
    ...diverged.map((ref) =>
      `Another machine also continued this session, and the two versions differ. Compare: reprise diff ` +
      `${shortName(ref).replace(/^team:|@\d+$/g, "")} ${shortName(ref)}`
    ),
    ...(untrusted.length === 0 ? [] : [
      `Not added to your sessions, because they do not come from a machine that you trust: ${
        named(untrusted)
      }`,
      "If these sessions come from another machine of yours, run `reprise sync status` " +
      "on that machine to see its key. Then run on this machine: reprise sync trust KEY. " +
      "To continue one of them in a copy: reprise fork REF",
    ]),
    ...incompleteLines(incomplete),
    ...(busy.length > 0
      ? [
        "Skipped, because these sessions are being written on this machine; the next pull tries " +
        `again: ${named(busy)}`,
      ]
      : []),
    ...(sealed.length > 0
      ? [
        "Not decrypted, because you have no private key for these sessions. Give " +
        `--identity FILE: ${named(sealed)}`,
      ]
      : []),
    ...failureLines(failed),
  ];
}

/** Says which sessions the store does not have whole, and what to do. */
function incompleteLines(incomplete: readonly string[]): string[] {
  return incomplete.length === 0 ? [] : [
    `Not complete in the store yet: ${named(incomplete)}. If this does not change, run on the ` +
    "machine that sent them: reprise sync check",
  ];
}

function failureLines(failed: PushReport["failed"]): string[] {
  return failed.map(({ session, message }) =>
    session === "" ? `reprise: ${message}` : `reprise: ${shortName(session)}: ${message}`
  );
}
