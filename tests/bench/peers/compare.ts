/** Rows of the comparison: our samples and a peer's, taken in turns, and the table that shows them. */
import { markdownTable } from "../../_support/markdown_table.ts";
import { median, medianRatio } from "../rounds.ts";
import type { Sample } from "./peers.ts";

/** One row, as it stands in the JSON file. */
export interface PeerRow {
  /** Name of the work. */
  figure: string;
  peer: string;
  /** The peer's time in terms of ours: above 1, Reprise is faster. */
  faster: number;
  /** Our peak memory in terms of the peer's; absent where it was not measured. */
  memory?: number;
  ours: { ms: number; mb?: number };
  theirs: { ms: number; mb?: number };
}

/** All rows, and the machine that they were measured on. */
export interface PeerFigures {
  date: string;
  machine: string;
  rounds: number;
  rows: PeerRow[];
}

function significant(value: number): number {
  return Number(value.toPrecision(3));
}

function middle(samples: readonly Sample[]): { ms: number; mb?: number } {
  const memory = samples.flatMap(({ peak_memory }) => peak_memory ?? []);
  const ms = significant(median(samples.map((sample) => sample.ms)));
  return memory.length < samples.length ? { ms } : { ms, mb: significant(median(memory) / 1e6) };
}

/** The row of samples that took turns. */
export function peerRow(
  figure: string,
  peer: string,
  ours: readonly Sample[],
  theirs: readonly Sample[],
): PeerRow {
  const [mine, other] = [middle(ours), middle(theirs)];
  const times = [theirs, ours].map((samples) => samples.map(({ ms }) => ms));
  const row = {
    figure,
    peer,
    faster: significant(medianRatio(times[0] ?? [], times[1] ?? [])),
    ours: mine,
    theirs: other,
  };
  const known = mine.mb !== undefined && other.mb !== undefined;
  return known ? { ...row, memory: significant(Number(mine.mb) / Number(other.mb)) } : row;
}

/** Takes samples of both in turns, after one of each that does not count. */
export async function takeTurns(
  rounds: number,
  ours: () => Promise<Sample>,
  theirs: () => Promise<Sample>,
): Promise<[Sample[], Sample[]]> {
  const samples: [Sample[], Sample[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const pair = [await ours(), await theirs()] as const;
    if (round < 0) continue;
    samples[0].push(pair[0]);
    samples[1].push(pair[1]);
  }
  return samples;
}

function time({ ms, mb }: { ms: number; mb?: number }): string {
  const text = ms >= 1000 ? `${significant(ms / 1000)} s` : `${significant(ms)} ms`;
  return mb === undefined ? text : `${text}, ${significant(mb)} MB`;
}

/** The part of the figures' page between its marks: machine and table, in Markdown. */
export function peersText(figures: PeerFigures): string {
  const { date, machine, rounds } = figures;
  return `${date}, ${machine}, rounds: ${rounds}.\n\n${peersTable(figures)}`;
}

/** The table of the comparison. */
export function peersTable({ rows }: PeerFigures): string {
  return markdownTable([
    [
      ...["work", "compared with", "time ratio", "memory ratio"],
      ...["Reprise took", "compared program took"],
    ],
    ...rows.map((row) => [
      row.figure,
      row.peer,
      `${row.faster} x`,
      row.memory === undefined ? "" : `${row.memory} x`,
      time(row.ours),
      time(row.theirs),
    ]),
  ]);
}
