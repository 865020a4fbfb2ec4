/** The parts that all texts of a digest share: counts, states and file names. */
import type { ProjectDigest, SessionDigest } from "./digest.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import { counted } from "../../core/event/counted.ts";
import { relativePath } from "../../text/render/path_text.ts";
import { doingText } from "../../text/render/running_table.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { formatCost } from "../../text/render/usage_text.ts";

export interface OpenPoint {
  state: "waits" | "failed" | "unfinished" | "running";
  text: string;
}

/** Returns the state that needs the user's attention, or undefined if the last turn ended well. */
export function openPoint({ row, running }: SessionDigest): OpenPoint | undefined {
  if (running?.attention.state === "waits") return { state: "waits", text: doingText(running) };
  if (row.last_error !== undefined) {
    return { state: "failed", text: `failed: ${sanitizeLine(row.last_error)}` };
  }
  if (running !== undefined) return { state: "running", text: doingText(running) };
  return row.status === "interrupted"
    ? { state: "unfinished", text: "unfinished: its last turn did not end" }
    : undefined;
}

/** Writes how much was done: `3 sessions, 9 prompts, 4 files, 2 commits, ~$8.10, 1 failed`. */
export function countsText(projects: readonly ProjectDigest[], cost: CostSum): string {
  const sessions = projects.flatMap(({ sessions }) => sessions);
  const sum = (count: (project: ProjectDigest) => number): number =>
    projects.reduce((all, project) => all + count(project), 0);
  const counts = [
    [sessions.length, "session"],
    [sessions.reduce((all, { prompts }) => all + prompts.length, 0), "prompt"],
    [sum(({ files }) => files.length), "file"],
    [sum(({ commits }) => commits.length), "commit"],
  ] as const;
  const open = sessions.map((session) => openPoint(session)?.state);
  const states = (["waits", "failed", "unfinished"] as const)
    .map((state) => [open.filter((one) => one === state).length, STATES[state]] as const);
  return [
    ...counts.flatMap(([count, noun]) => count === 0 ? [] : [counted(count, noun)]),
    formatCost(cost),
    ...states.flatMap(([count, word]) => count === 0 ? [] : [`${count} ${word}`]),
  ].filter((part) => part !== "").join(", ");
}

const STATES = { waits: "waiting", failed: "failed", unfinished: "unfinished" };

export function fileNames({ files, project }: ProjectDigest): string[] {
  return files.map((path) => sanitizeLine(relativePath(path, project)));
}
