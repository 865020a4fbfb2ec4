/**
 * Removes secrets from events before they are shared.
 *
 * @module
 */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { namedSecret } from "./assignment.ts";
import { findSecrets } from "./find_secrets.ts";
import { layered, type LayeredLook } from "./layered_search.ts";
import { mapStrings, type StringPlace } from "./map_strings.ts";
import { NameMemo } from "./secret_name.ts";
import { mergeSpans, type SecretSpan } from "./secret_span.ts";
import { SecretVault, type VaultOptions } from "./secret_vault.ts";

/** A report of one replaced secret, without any part of the secret. */
export interface RedactionFinding {
  /** The kind of the secret, such as `github-token`. */
  kind: string;
  /** Number of the event with the secret; absent for a text outside events. */
  seq?: number;
  /** The field of the event: `payload.output`, `payload.input.headers[2]`, or `title`. */
  field: string;
  /** Offset of the secret in the text of `field`, in UTF-16 units. */
  offset: number;
  /** Length of the secret, in UTF-16 units. */
  length: number;
  /** The text that replaces the secret. Equal secrets have equal placeholders. */
  placeholder: string;
}

/** Callbacks of a {@linkcode Redactor}, for reports and for changes of redacted texts. */
export interface RedactorOptions {
  /**
   * Called for each secret that is replaced.
   *
   * @default {no report}
   */
  report?: (finding: RedactionFinding) => void;
  /** Changes each string after redaction, for example its paths. @default {none is changed} */
  rewrite?: (text: string) => string;
}

const UNPARSED_FIELDS = new Set(["v", "seq", "form", "integrity", "position", "kind", "time"]);
/** Maximum characters of a text remembered as free of secrets. Events repeat short texts. */
const LONGEST_CLEAN = 64;
/** Maximum texts remembered as free of secrets. At this number, all are forgotten. */
const MOST_CLEAN = 4096;
const FORMS: readonly string[] = ["known", "unknown", "invalid", "unparsed"];

/**
 * Replaces secrets in events and texts by placeholders. Equal secrets get equal placeholders. For an
 * event that cannot be checked, an error is thrown, and the event is never passed on.
 *
 * Some secrets are known only by a name beside them, `password: …`, but also occur without the name.
 * So read a session twice: pass every event to {@linkcode Redactor.observe} first, then to
 * {@linkcode Redactor.event}. Without the first pass, events and summaries are refused.
 *
 * The redactor finds secrets of known forms. No list of forms is complete, and images are not
 * searched.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Redactor } from "@reprise/reprise/export";
 *
 * const redactor = new Redactor();
 * const text = redactor.text("DB_PASSWORD=tr0ub4dor&3", "title");
 * assert.equal(text, "DB_PASSWORD=[redacted:password:1]");
 * assert.deepEqual([...redactor.counts], [["password", 1]]);
 * ```
 */
export class Redactor {
  readonly #vault: SecretVault;
  readonly #names = new NameMemo();
  readonly #clean = new Set<string>();
  readonly #counts = new Map<string, number>();
  #observed = false;
  #returned = false;
  readonly #report: (finding: RedactionFinding) => void;
  readonly #rewrite: (text: string) => string;

  /**
   * Starts with no known secrets.
   *
   * @param options The callbacks for findings and for redacted texts.
   * @param vault Options of the placeholders, which only the library itself sets.
   */
  constructor(
    { report = () => {}, rewrite = (text) => text }: RedactorOptions = {},
    vault: VaultOptions = {},
  ) {
    this.#report = report;
    this.#rewrite = rewrite;
    this.#vault = new SecretVault(vault);
  }

  /** Returns the number of replacements for each kind of secret. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /**
   * Learns the secrets of an event, so that they are replaced wherever they occur.
   *
   * @param event Any event. The event is not changed, and nothing is reported.
   * @throws {SessionError} `damaged` if the event cannot be checked; `invalid-argument` if
   * `event()` was already called, because the events that it returned may contain these secrets.
   */
  observe(event: LogEvent): void {
    if (this.#returned) {
      const message = `Cannot observe event ${event.seq}: this redactor has returned events ` +
        "already; pass all events to observe() before the first one to event()";
      throw new SessionError("invalid-argument", message, {});
    }
    this.#observed = true;
    this.#map(event, (text, place) => this.#learn(text, place));
  }

  /**
   * Returns the event with each secret in any of its strings replaced, keys included.
   *
   * @param event Any event.
   * @returns A copy; the same object if the event has no secret.
   * @throws {SessionError} `damaged` if the event cannot be checked; `unsupported-version` if this
   * version does not know the event's form; `invalid-argument` before the first `observe`.
   */
  event(event: LogEvent): LogEvent {
    this.#assertObserved(`event ${event.seq}`);
    this.#returned = true;
    return this.#map(event, (text, place) => this.#redact(text, place, event.seq));
  }

  /**
   * Returns the text with each secret replaced.
   *
   * @param text Any text, such as a title.
   * @param field The name of the text in findings, such as `title`.
   * @returns The text with placeholders.
   */
  text(text: string, field: string): string {
    return this.#redact(text, { field }, undefined);
  }

  /**
   * Replaces secrets in all strings of a value, keys included.
   *
   * @param value A value of JSON, such as a summary's titles.
   * @param field The name of the value in findings.
   * @returns A copy; the same value if there is no secret in it.
   * @throws {SessionError} `damaged` if the value cannot be checked.
   */
  value(value: unknown, field: string): unknown {
    return mapStrings(value, { field }, (text, place) => this.#redact(text, place, undefined));
  }

  /**
   * Replaces only the secrets that were learned before, in all strings of a value.
   *
   * @internal
   */
  known(value: unknown, field: string): unknown {
    return mapStrings(value, { field }, (text, place) => {
      const spans = this.#vault.spreads ? layered(text)((layer) => this.#vault.find(layer)) : [];
      return this.#replace(text, place, spans, undefined);
    });
  }

  /**
   * Replaces secrets in all fields of a summary, for the header of a document.
   *
   * @param summary The summary of a session.
   * @returns A copy.
   * @throws {SessionError} `damaged` if the summary cannot be checked; `invalid-argument` before
   * the first `observe`.
   */
  summary(summary: Summary): Summary {
    this.#assertObserved("summary");
    const fields = Object.entries(summary)
      .map(([name, value]) => [name, this.value(value, `summary.${name}`)]);
    return Object.fromEntries(fields);
  }

  /**
   * Learns the secrets in all strings of a value.
   *
   * @param value A value of JSON; nothing is reported.
   * @throws {SessionError} `damaged` if the value cannot be checked.
   */
  observeValue(value: unknown): void {
    this.#observed = true;
    mapStrings(value, { field: "" }, (text, place) => this.#learn(text, place));
  }

  #assertObserved(what: string): void {
    if (this.#observed) return;
    const message = `Cannot redact ${what}: some secrets are known only by a name in another ` +
      "event; pass all events of the session to observe() first";
    throw new SessionError("invalid-argument", message, {});
  }

  #map(event: LogEvent, map: (text: string, place: StringPlace) => string): LogEvent {
    assertForm(event);
    let changed = false;
    const entries = Object.entries(event).map(([field, value]): [string, unknown] => {
      const mapped = mapStrings(value, { field }, map);
      changed ||= mapped !== value;
      return [field, mapped];
    });
    return changed ? Object.fromEntries(entries) as unknown as LogEvent : event;
  }

  #learn(text: string, place: StringPlace): string {
    this.#find(text, place, layered(text));
    return text;
  }

  /** Finds secrets in a text and stores each in the vault. */
  #find(text: string, place: StringPlace, look: LayeredLook): SecretSpan[] {
    const { name, pieces = [] } = place;
    const spans = this.#clean.has(text)
      ? []
      : look((layer, runs) => findSecrets(layer, { runs, names: this.#names }));
    if (name === undefined && spans.length === 0) this.#keepClean(text);
    const named = name === undefined ? undefined : namedSecret(name, text, this.#names);
    if (named !== undefined) spans.push(named);
    for (const span of spans) this.#vault.keep(secretOf(span, text), span);
    for (const piece of pieces) this.#vault.keep(piece.secret, piece);
    return spans;
  }

  #keepClean(text: string): void {
    if (text.length > LONGEST_CLEAN) return;
    if (this.#clean.size >= MOST_CLEAN) this.#clean.clear();
    this.#clean.add(text);
  }

  #redact(text: string, place: StringPlace, seq: number | undefined): string {
    const look = layered(text);
    const found = this.#find(text, place, look);
    const known = this.#vault.spreads ? look((layer) => this.#vault.find(layer)) : [];
    const { pieces = [] } = place;
    return this.#replace(text, place, [...pieces, ...found, ...known], seq);
  }

  #replace(
    text: string,
    place: StringPlace,
    spans: readonly SecretSpan[],
    seq: number | undefined,
  ): string {
    if (spans.length === 0) return this.#rewrite(text);
    const whole = wholeSecrets(spans);
    let done = "";
    let end = 0;
    for (const span of mergeSpans(spans)) {
      const secret = whole.get(placeOf(span)) ?? text.slice(span.start, span.end);
      const { kind, placeholder } = this.#vault.keep(secret, span);
      done += text.slice(end, span.start) + placeholder;
      end = span.end;
      this.#tell({ kind, placeholder, field: place.field, ...extent(span) }, seq);
    }
    return this.#rewrite(done + text.slice(end));
  }

  #tell(finding: RedactionFinding, seq: number | undefined): void {
    this.#counts.set(finding.kind, (this.#counts.get(finding.kind) ?? 0) + 1);
    this.#report(seq === undefined ? finding : { ...finding, seq });
  }
}

function extent({ start, end }: SecretSpan): { offset: number; length: number } {
  return { offset: start, length: end - start };
}

function secretOf({ start, end, secret }: SecretSpan, text: string): string {
  return secret ?? text.slice(start, end);
}

/** Maps each span's range to its `secret`, if any. Of equal ranges, the first counts. */
function wholeSecrets(spans: readonly SecretSpan[]): Map<string, string> {
  const whole = new Map<string, string>();
  for (const span of spans) {
    const place = placeOf(span);
    if (span.secret !== undefined && !whole.has(place)) whole.set(place, span.secret);
  }
  return whole;
}

function placeOf({ start, end }: SecretSpan): string {
  return `${start}-${end}`;
}

/** Rejects events of an unknown form, because they may hold unchecked fields. */
function assertForm(event: LogEvent): void {
  const { form } = event;
  if (!FORMS.includes(form)) {
    throw unchecked(event.seq, `the event has an unknown format: ${String(form)}`);
  }
  if (form !== "unparsed") return;
  const other = Object.keys(event).find((field) => !UNPARSED_FIELDS.has(field));
  if (other !== undefined) throw unchecked(event.seq, "the event could not be parsed");
}

function unchecked(seq: number, reason: string): SessionError {
  const message = `Cannot check event ${seq} for secrets: ${reason}`;
  return new SessionError("unsupported-version", message, { seq });
}
