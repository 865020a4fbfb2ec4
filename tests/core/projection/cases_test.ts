/**
 * Projections of short histories. A case in testdata/projections has a name, perhaps options, events
 * or messages, and what is made of them. `-- --update` writes the results anew.
 */
import type { Event, KnownEvent, LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import type { EventKind } from "../../../lib/core/event/payload.ts";
import { activityOf } from "../../../lib/core/projection/activity.ts";
import { contextOf } from "../../../lib/core/projection/context.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { pairCalls } from "../../../lib/core/projection/conversation/paired_messages.ts";
import { buildMessages } from "../../../lib/core/projection/conversation/responses.ts";
import { foldEvents, type Projection } from "../../../lib/core/projection/projection.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { trajectory } from "../../../lib/core/projection/trajectory.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { CaseFile, ruleOf } from "../../_support/case_file.ts";
import { FULL_PAYLOADS } from "../../_support/every_kind.ts";
import { known } from "../../_support/known_events.ts";
import { numbered } from "../../_support/log_bytes.ts";
import { usage } from "../../_support/usage.ts";

type Lines = readonly Record<string, unknown>[];

const MADE: Readonly<Record<string, (lines: Lines, options: object) => unknown>> = {
  activity: (lines, options) => activityOf(eventsOf(lines), options),
  context: folded(contextOf),
  conversation: folded(conversation),
  paired_messages: (lines) => pairCalls(lines as never),
  responses: (lines) => buildMessages(eventsOf(lines) as KnownEvent[]),
  summary: folded(summary),
  trajectory: folded(trajectory),
  transcript: folded(transcript),
  usage: folded(usage),
};

function folded<State, Result>(
  projection: (options: object) => Projection<State, Result>,
): (lines: Lines, options: object) => Result {
  return (lines, options) => foldEvents(projection(options), eventsOf(lines));
}

/**
 * Lines name `form`, `integrity`, `seq` and `time` only where these are not the usual ones. A payload
 * "full" has every field that its kind has.
 */
function eventsOf(lines: Lines): LogEvent[] {
  let seq = 0;
  return lines.map(({ payload, ...line }): LogEvent => {
    seq = Number(line["seq"] ?? seq + 1);
    const given = payload === "full" ? FULL_PAYLOADS[line["kind"] as EventKind] : payload;
    const fields = { ...line, ...(given !== undefined && { payload: given }), seq };
    if ("form" in line) return { integrity: "verified", ...fields } as LogEvent;
    const [event] = numbered([fields as unknown as NewEvent], seq);
    return { ...known(event as Event), ...fields } as LogEvent;
  });
}

/** A line for each item of a result; a field that is undefined is told. */
function linesOf(result: unknown): string[] {
  if (Array.isArray(result)) return result.map(jsonOf);
  if (typeof result !== "object" || result === null) return [jsonOf(result)];
  return Object.entries(result).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0
      ? value.map((item) => `${name}[] ${jsonOf(item)}`)
      : [`${name} ${jsonOf(value)}`]
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, member) => member === undefined ? "(undefined)" : member);
}

/** A case as it is written, with the result that it has now. */
function toldOf(projection: string, text: string): string {
  const [given = []] = text.split("\n=").map((part) => part.split("\n"));
  const options = given[1]?.startsWith("with ") ? JSON.parse(given[1].slice(5)) : {};
  const lines = given.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  return [...given, "=", ...linesOf(MADE[projection]?.(lines, options))].join("\n");
}

for (const projection of Object.keys(MADE)) {
  const path = new URL(`../../../testdata/projections/${projection}.txt`, import.meta.url);
  const file = new CaseFile(path);
  for (const [at, text] of file.cases.entries()) {
    Deno.test(`${projection}: ${ruleOf(text)}`, () => file.expect(at, toldOf(projection, text)));
  }
}
