/**
 * What OTLP asks of a document of spans: opentelemetry-proto 1.7, trace/v1/trace.proto and
 * common/v1/common.proto, in the JSON mapping of the OTLP specification.
 */

type Json = Record<string, unknown>;

const SPAN: Readonly<Record<string, (value: unknown) => boolean>> = {
  traceId: (value) => /^(?!0+$)[0-9a-f]{32}$/.test(String(value)),
  spanId: (value) => /^(?!0+$)[0-9a-f]{16}$/.test(String(value)),
  parentSpanId: (value) => /^[0-9a-f]{16}$/.test(String(value)),
  name: (value) => typeof value === "string" && value !== "",
  kind: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 5,
  startTimeUnixNano: isTime,
  endTimeUnixNano: isTime,
  attributes: (value) => Array.isArray(value) && value.every(isAttribute),
  status: (value) => [0, 1, 2].includes(Number((value as Json)["code"])),
};
const NEEDED = ["traceId", "spanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano"];

function isTime(value: unknown): boolean {
  return typeof value === "string" && /^\d{1,20}$/.test(value);
}

function isAttribute({ key, value, ...rest }: Json): boolean {
  const [kind = "", given] = Object.entries(value as Json)[0] ?? [];
  const fits: Readonly<Record<string, boolean>> = {
    stringValue: typeof given === "string",
    intValue: typeof given === "string" && /^-?\d+$/.test(given),
    doubleValue: typeof given === "number",
  };
  return typeof key === "string" && key !== "" && fits[kind] === true &&
    Object.keys(value as Json).length === 1 && Object.keys(rest).length === 0;
}

/** Returns the spans of a document, in their order. */
export function otlpSpans(text: string): Json[] {
  const { resourceSpans } = JSON.parse(text) as { resourceSpans: Json[] };
  return resourceSpans.flatMap(({ scopeSpans }) =>
    (scopeSpans as Json[]).flatMap(({ spans }) => spans as Json[])
  );
}

/** What is wrong with the spans of a document; nothing where a collector takes them. */
export function otlpFaults(text: string): string[] {
  const spans = otlpSpans(text);
  const ids = new Map(spans.map(({ spanId, traceId }) => [spanId, traceId]));
  const faults = ids.size === spans.length ? [] : ["a span id comes twice"];
  for (const span of spans) {
    faults.push(...NEEDED.filter((name) => !(name in span)).map((name) => `no ${name}`));
    for (const [name, value] of Object.entries(span)) {
      if (SPAN[name]?.(value) !== true) faults.push(`${name}: ${JSON.stringify(value)}`);
    }
    if (BigInt(String(span["startTimeUnixNano"])) > BigInt(String(span["endTimeUnixNano"]))) {
      faults.push(`${span["name"]} ends before it begins`);
    }
    const parent = span["parentSpanId"];
    if (parent !== undefined && ids.get(parent) !== span["traceId"]) {
      faults.push(`${span["name"]} has a parent of no such trace`);
    }
  }
  return faults;
}
