/** Reads a damaged session a first time: finds faults of lines, and collects facts of records. */
import type { LinePosition } from "../../core/event/envelope.ts";
import { isBlank, type Line } from "../../core/log/line_splitter.ts";
import { isUtf8 } from "../../core/event/bytes.ts";
import { readLines } from "../../agents/engine/records/jsonl_records.ts";
import type { DamageKind, LineRepair } from "../../agents/contract/session_repair.ts";
import { startTrim, trimmedRecord } from "./cut_strings.ts";
import type { RepairFinding } from "./finding.ts";
import {
  type RecordRules,
  startRules,
  takeRecord,
  takeRemains,
  takeUnknown,
} from "./record_rules.ts";
import { cutRange, cutSessionLine, type DamagedPiece, rangeOf, sketchOf } from "./session_line.ts";

export interface SurveyOptions {
  trim_output_bytes?: number | undefined;
  max_line_bytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface SessionSurvey {
  rules: RecordRules;
  /** The findings about lines, at most {@linkcode MOST_FINDINGS}. `more` counts the others. */
  findings: RepairFinding[];
  more: number;
  damages: Set<DamageKind>;
  bytes: number;
}

const MOST_FINDINGS = 1000;

export async function surveySession(
  path: string,
  repair: LineRepair,
  options: SurveyOptions,
): Promise<SessionSurvey> {
  const survey: SessionSurvey = {
    rules: startRules(repair),
    findings: [],
    more: 0,
    damages: new Set(),
    bytes: 0,
  };
  const { max_line_bytes, signal } = options;
  for await (const lines of readLines(path, { max_line_bytes, signal })) {
    for (const line of lines) takeLine(survey, line, path, options);
  }
  return survey;
}

function takeLine(
  survey: SessionSurvey,
  line: Line,
  path: string,
  { trim_output_bytes }: SurveyOptions,
): void {
  const { rules } = survey;
  const cut = cutSessionLine(line, rules.repair.isRecord);
  survey.bytes += line.length;
  for (const mark of cut.marks) tell(survey, mark, wordsOfMark(mark.damage));
  if (cut.sealed) return takeSealed(survey, line, path, trim_output_bytes);
  for (const piece of cut.pieces) {
    if (piece.kind === "damage") {
      takeDamage(survey, piece);
      continue;
    }
    takeRecord(rules, piece.value, positionOf(piece), piece.bytes);
    if (trim_output_bytes === undefined) continue;
    const { cut } = trimmedRecord(rules.repair, piece.bytes, trim_output_bytes);
    if (cut > 0) tell(survey, { ...positionOf(piece), damage: "long-output" }, trimWords(cut));
  }
}

function positionOf({ offset, length, line }: LinePosition): LinePosition {
  return { offset, length, line };
}

function takeSealed(
  survey: SessionSurvey,
  line: Line,
  path: string,
  trim_output_bytes: number | undefined,
): void {
  const { rules } = survey;
  const { oversized, length } = line;
  if (!oversized) {
    if (!isBlank(line.bytes)) takeUnknown(rules);
    return;
  }
  const position = positionOf(line);
  const value = sketchOf(path, line);
  if (value === undefined) takeUnknown(rules);
  else takeRecord(rules, value, position);
  const found = `the line is ${length} bytes long`;
  if (trim_output_bytes === undefined) {
    return tell(survey, { ...position, damage: "long-line" }, { found, needs: "trim_output" });
  }
  const cutter = startTrim(rules.repair, trim_output_bytes);
  for (const _ of cutRange(rangeOf(path, line), cutter)) { /* counted */ }
  if (cutter.cut === 0) return tell(survey, { ...position, damage: "long-line" }, { found });
  tell(survey, { ...position, damage: "long-output" }, trimWords(cutter.cut));
}

function trimWords(cut: number): Words {
  return {
    found: cut === 1
      ? "a tool output is longer than the limit"
      : `${cut} tool outputs are longer than the limit`,
    repair: "the output is shortened, with a note in place of the removed text",
  };
}

function takeDamage(survey: SessionSurvey, piece: DamagedPiece): void {
  const { damage, bytes } = piece;
  const { rules } = survey;
  if (damage === "torn-record" || damage === "torn-end") {
    takeRemains(rules, bytes, positionOf(piece));
  }
  const words = wordsOfPiece(piece);
  if (isUtf8(bytes) || !("bad-utf8" in rules.repair.reading.ends)) {
    return tell(survey, piece, words);
  }
  // What such a byte does to the client is worse than what a torn record does.
  const found = `${words.found}, and some of the bytes are not valid UTF-8`;
  tell(survey, { ...positionOf(piece), damage: "bad-utf8" }, { ...words, found });
}

type Words = Pick<RepairFinding, "found" | "repair" | "needs">;

function tell(
  survey: SessionSurvey,
  mark: LinePosition & { damage: DamageKind },
  words: Words,
): void {
  survey.damages.add(mark.damage);
  if (survey.findings.length >= MOST_FINDINGS) survey.more++;
  else survey.findings.push({ ...positionOf(mark), damage: mark.damage, ...words });
}

function wordsOfPiece({ damage, bytes: { length } }: DamagedPiece): Words {
  const bytes = length === 1 ? "1 byte" : `${length} bytes`;
  const repair = "these bytes are removed; the backup keeps them";
  if (damage === "nul-run") return { found: `${bytes}, all NUL`, repair: "removed" };
  if (damage === "no-record") return { found: `${bytes} of garbage`, repair };
  return { found: `an incomplete record of ${bytes}`, repair };
}

function wordsOfMark(damage: DamageKind): Words {
  switch (damage) {
    case "byte-order-mark":
      return { found: "a byte order mark precedes the record", repair: "removed" };
    case "fused-records":
      return {
        found: "the newline before this record is missing",
        repair: "this record gets a line of its own",
      };
    case "bad-utf8":
      return {
        found: "some bytes of the record are not UTF-8",
        repair: "these bytes become U+FFFD",
      };
    default:
      return { found: "the last record has no newline", repair: "a newline is added" };
  }
}
