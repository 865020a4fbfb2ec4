/** Plans a watch: takes events and returns steps. Reads neither the disk nor the clock. */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { Keeping } from "./keep_session.ts";
import type { WatchedSession } from "./watched_sessions.ts";

/** Maximum number of sessions that are backed up or compared at the same time. */
const AT_ONCE = 8;
/** Milliseconds from a change to its backup, so that later changes are backed up with it. */
const GATHER_MS = 250;
/**
 * Milliseconds from a burst of the system's change notices to a check of the agent's sessions. The
 * system may have dropped some notices.
 */
const LOOK_MS = 500;
/** Minimum wait from a burst of notices to a check, as a multiple of the last check's duration. */
const LOOK_SHARE = 4;
/** Milliseconds without a change after which a grown session is fully compared with its copy. */
const QUIET_MS = 1000;
/** Minimum pause after a check or a comparison of all bytes, as a multiple of its duration. */
const SHARE = 20;
/** Milliseconds between checks of sessions whose changes the system does not report. */
const POLL_MS = 1000;
/** Milliseconds between checks of all sessions, to find changes that the system did not report. */
const CHECK_MS = 60_000;
/** Milliseconds before the first retry of a failed backup. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/**
 * The number of notices that make a burst. Deno 2.7 holds 16 notices of a watch, and drops later
 * ones without an error.
 */
const BURST_NOTICES = 8;
const BURST_MS = 250;
/** Maximum number of paths in `strangers`, the paths that belong to no session. */
const MOST_STRANGERS = 10_000;
const FIRST_STRANGER_MS = 500;
const LONGEST_STRANGER_MS = 60_000;

/** Things to do, and the time of each by `performance.now()`. */
type DueTimes<Thing> = Map<Thing, number>;

export interface WatchAgenda {
  /** Sessions to back up, because a change was noticed. */
  keep: DueTimes<WatchedSession>;
  /** Sessions to compare byte by byte with their backups. */
  compare: DueTimes<WatchedSession>;
  locate: DueTimes<AgentName>;
  /** Agents whose sessions are all to be checked for changes. */
  look: DueTimes<AgentName>;
  /** Sessions that existed when the watch began, and whose backup was not tried yet. */
  backlog: WatchedSession[];
  /** The time of the next check of all sessions and folders, by `performance.now()`. */
  check_at: number;
  /** The time of the next check of sessions that get no change notices, by `performance.now()`. */
  poll_at: number;
  /** Milliseconds that the last check of sessions took. */
  look_ms: number;
  /** Each agent's current window of `BURST_MS`: its start, and the change notices in it. */
  notices: Map<AgentName, { since: number; count: number }>;
  /** Paths that belong to no session, with the time from which to check them again. */
  strangers: Map<string, { next: number; wait: number }>;
}

export type WatchEvent =
  /** `notice`: a file below an agent's folder changed. `lost`: notices may have been dropped. */
  | { kind: "notice" | "lost"; agent: AgentName }
  /** A file appeared that no session lists. It may belong to one of the sessions in `around`. */
  | { kind: "stranger"; agent: AgentName; around: readonly WatchedSession[] }
  /** `changing`: a system notice. `changed`: a check saw a change. `found`: existed at start. */
  | { kind: "changing" | "changed" | "found"; session: WatchedSession }
  | { kind: "looked"; agents: readonly AgentName[]; began: number }
  /** A check has ended. `polled`: a check of only the sessions that get no change notices. */
  | { kind: "checked" | "polled"; began: number }
  | { kind: "kept"; session: WatchedSession; keeping: Keeping; how: HowKept }
  /** A backup failed, after `before` failures in a row. */
  | { kind: "failed"; session: WatchedSession; before: number };

export interface HowKept {
  /** True if all bytes are compared, not only the end of the files. */
  thorough: boolean;
  /** True if the bytes are synced to the disk before the next session is backed up. */
  sync: boolean;
}

export type WatchStep =
  | { kind: "check" | "poll" | "databases" }
  | { kind: "look" | "locate"; agents: readonly AgentName[] }
  | { kind: "keep" | "compare" | "catch-up"; sessions: readonly WatchedSession[] };

export interface WatchFacts {
  /** True while some sessions or folders get no change notices and must be polled. */
  is_polled: boolean;
  /** The time of the next check of databases, by `performance.now()`. */
  databases_at: number;
}

/** Returns the agenda at the start of a watch. Its first step is a check of all sessions. */
export function newAgenda(): WatchAgenda {
  return {
    ...{ keep: new Map(), compare: new Map(), locate: new Map(), look: new Map(), backlog: [] },
    ...{ check_at: 0, poll_at: 0, look_ms: 0, notices: new Map(), strangers: new Map() },
  };
}

export function noteEvent(agenda: WatchAgenda, event: WatchEvent, now: number): void {
  const { keep, locate, look, look_ms, backlog } = agenda;
  switch (event.kind) {
    case "notice":
    case "lost":
      if (event.kind === "notice" && !isBurst(agenda, event.agent, now)) return;
      return addDue(look, event.agent, now + Math.max(LOOK_MS, LOOK_SHARE * look_ms));
    case "stranger":
      addDue(locate, event.agent, now + GATHER_MS);
      return event.around.forEach((one) => addDue(keep, one, now + GATHER_MS));
    case "changing":
      return addDue(keep, event.session, now + GATHER_MS);
    case "changed":
      return addDue(keep, event.session, now);
    case "found":
      return void backlog.push(event.session);
    case "looked":
      agenda.look_ms = now - event.began;
      return event.agents.forEach((agent) => addDue(locate, agent, event.began));
    case "checked":
      return void (agenda.check_at = now + Math.max(CHECK_MS, SHARE * (now - event.began)));
    case "polled":
      return void (agenda.poll_at = now + Math.max(POLL_MS, SHARE * (now - event.began)));
    case "kept":
      return noteKept(agenda, event, now);
    case "failed":
      return addDue(keep, event.session, now + retryMs(event.before));
  }
}

function retryMs(failures: number): number {
  return Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures);
}

function noteKept(
  { keep, compare }: WatchAgenda,
  { session, keeping: { added, more, began, gone }, how }: Extract<WatchEvent, { kind: "kept" }>,
  now: number,
): void {
  if (more) addDue(keep, session, now + (added > 0 ? 0 : GATHER_MS));
  else if ((added > 0 || gone) && !(how.thorough || (how.sync && began === "first"))) {
    // Each change puts the comparison off.
    compare.set(session, now + Math.max(QUIET_MS, SHARE * session.compared_ms));
  }
}

/** Counts a change notice. True if so many came that the system may have dropped some. */
function isBurst({ notices }: WatchAgenda, agent: AgentName, now: number): boolean {
  const window = notices.get(agent);
  if (window !== undefined && now - window.since <= BURST_MS) {
    return ++window.count >= BURST_NOTICES;
  }
  notices.set(agent, { since: now, count: 1 });
  return false;
}

/**
 * True if it is time to check whether a path belongs to a new session. The wait doubles with each
 * check, because agents also write other files, some of them every second.
 */
export function isWorthALook({ strangers }: WatchAgenda, path: string, now: number): boolean {
  const known = strangers.get(path);
  if (known === undefined) {
    if (strangers.size >= MOST_STRANGERS) strangers.clear();
    strangers.set(path, { next: now + FIRST_STRANGER_MS, wait: FIRST_STRANGER_MS });
    return true;
  }
  if (now < known.next) return false;
  known.wait = Math.min(LONGEST_STRANGER_MS, 2 * known.wait);
  known.next = now + known.wait;
  return true;
}

/** Removes and returns the next step that is due. Changed sessions go before the backlog. */
export function nextStep(
  agenda: WatchAgenda,
  { is_polled, databases_at }: WatchFacts,
  now: number,
): WatchStep | undefined {
  if (now >= agenda.check_at) return { kind: "check" };
  if (is_polled && now >= agenda.poll_at) return { kind: "poll" };
  const look = takeDue(agenda.look, now);
  if (look.length > 0) return { kind: "look", agents: look };
  const locate = takeDue(agenda.locate, now);
  if (locate.length > 0) return { kind: "locate", agents: locate };
  const keep = takeDue(agenda.keep, now);
  if (keep.length > 0) return { kind: "keep", sessions: keep };
  const compare = takeDue(agenda.compare, now, AT_ONCE);
  if (compare.length > 0) return { kind: "compare", sessions: compare };
  const backlog = agenda.backlog.splice(-AT_ONCE);
  if (backlog.length > 0) return { kind: "catch-up", sessions: backlog };
  return now >= databases_at ? { kind: "databases" } : undefined;
}

/** True once a backup of all old and changed sessions was tried. Failures are not waited for. */
export function isCaughtUp({ backlog, keep }: WatchAgenda): boolean {
  return backlog.length === 0 && keep.keys().every(({ failures }) => failures > 0);
}

export function nextTime(
  { keep, compare, locate, look, backlog, check_at, poll_at }: WatchAgenda,
  { is_polled, databases_at }: WatchFacts,
): number {
  if (backlog.length > 0) return 0;
  const due = [keep, compare, locate, look].map((times) => firstDue<unknown>(times));
  return Math.min(...due, check_at, is_polled ? poll_at : Infinity, databases_at);
}

function addDue<Thing>(times: DueTimes<Thing>, thing: Thing, time: number): void {
  times.set(thing, Math.min(time, times.get(thing) ?? Infinity));
}

function takeDue<Thing>(times: DueTimes<Thing>, now: number, most = Infinity): Thing[] {
  const due = [...times.entries().filter(([, time]) => time <= now).take(most)];
  for (const [thing] of due) times.delete(thing);
  return due.map(([thing]) => thing);
}

function firstDue<Thing>(times: DueTimes<Thing>): number {
  let first = Infinity;
  for (const time of times.values()) if (time < first) first = time;
  return first;
}
