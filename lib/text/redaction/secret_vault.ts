/**
 * Stores the secrets found so far, with their placeholders. The vault lives in memory, as long as a
 * redactor. A placeholder has a number, but no part of the secret.
 */
import { AnchorIndex, SHORTEST_ANCHOR } from "./anchor_index.ts";
import { everyForm, usualForms } from "./secret_forms.ts";
import type { SecretSpan } from "./secret_span.ts";

/** Minimum length of a secret to find in all texts. Shorter texts occur in other words. */
const SHORTEST_SPREAD = 8;
/** Maximum number of secrets' encodings to find one by one. `indexOf` is faster for a few. */
const FEW = 8;
/** Maximum characters to compare with a secret that is cut off at the start or end of a text. */
const CUT_WINDOW = 512;

interface KnownSecret {
  kind: string;
  placeholder: string;
  /** The secret in plain text, also if the entry is for an encoded form, as in JSON or a URL. */
  secret: string;
}

export interface VaultOptions {
  /** Returns the text that replaces a secret. @default {its kind with a number} */
  placeholder?: ((kind: string, secret: string) => string) | undefined;
  /** True to look for encoded forms of secrets, too, such as base64. @default {false} */
  every_form?: boolean | undefined;
}

export class SecretVault {
  readonly #known = new Map<string, KnownSecret>();
  readonly #numbers = new Map<string, number>();
  readonly #written = new AnchorIndex<string>();
  readonly #spread = new Set<string>();
  /** Secrets that `keep` need not check again. `find` looks for them, or they are too common. */
  readonly #settled = new Set<string>();
  /** Secrets by their first eight characters, and by their last eight characters. */
  readonly #heads = new CutIndex();
  readonly #tails = new CutIndex();
  /** For each hash of two neighbouring characters: 1 if a secret to find has such a pair. */
  readonly #pairs = new Uint8Array(CUT_CELLS);
  readonly #placeholder: VaultOptions["placeholder"];
  readonly #formsOf: (secret: string) => Set<string>;

  constructor({ placeholder, every_form = false }: VaultOptions = {}) {
    this.#placeholder = placeholder;
    this.#formsOf = every_form ? everyForm : usualForms;
  }

  /** Stores a secret. Returns its kind and placeholder, which stay the same for a known secret. */
  keep(secret: string, { kind, certain }: Pick<SecretSpan, "kind" | "certain">): KnownSecret {
    let known = this.#known.get(secret);
    if (known === undefined) {
      const number = (this.#numbers.get(kind) ?? 0) + 1;
      this.#numbers.set(kind, number);
      const placeholder = this.#placeholder?.(kind, secret) ?? `[redacted:${kind}:${number}]`;
      known = { kind, placeholder, secret };
      this.#known.set(secret, known);
    }
    if (certain && !this.#settled.has(secret)) {
      this.#settled.add(secret);
      if (isWorthSpreading(secret)) this.#spreadOut(secret, known);
    }
    return known;
  }

  /** Makes `find` look for the secret from now on, also in its encoded forms. */
  #spreadOut(secret: string, known: KnownSecret): void {
    for (const form of this.#formsOf(secret)) {
      if (this.#spread.has(form)) continue;
      this.#spread.add(form);
      if (!this.#known.has(form)) this.#known.set(form, known);
      this.#heads.add(form.slice(0, SHORTEST_SPREAD), form);
      this.#tails.add(form.slice(-SHORTEST_SPREAD), form);
      for (let at = 0; at + 1 < form.length; at++) this.#pairs[cellAt(form, at)] = 1;
      // The middle of a secret is random; its whole family shares the beginning.
      this.#written.add(form, form, { at: (form.length - SHORTEST_ANCHOR) >> 1 });
    }
  }

  /** True if at least one secret was stored that `find` looks for in every text. */
  get spreads(): boolean {
    return this.#spread.size > 0;
  }

  find(text: string): SecretSpan[] {
    const spans: SecretSpan[] = [];
    if (this.#spread.size <= FEW) {
      for (const form of this.#spread) {
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
          spans.push(this.#whole(form, at));
        }
      }
    } else this.#written.scan(text, (start, form) => void spans.push(this.#whole(form, start)));
    return [...spans, ...this.#cutAtEnd(text), ...this.#cutAtStart(text)];
  }

  /** True if the eight characters at `offset` may be part of a secret. Few texts pass this test. */
  #mayBePiece(text: string, offset: number): boolean {
    if (offset < 0 || offset + SHORTEST_SPREAD > text.length) return false;
    for (let at = offset; at + 1 < offset + SHORTEST_SPREAD; at++) {
      if (this.#pairs[cellAt(text, at)] !== 1) return false;
    }
    return true;
  }

  /** Finds a secret that is cut at the text's end, because agents shorten titles and outputs. */
  #cutAtEnd(text: string): SecretSpan[] {
    const end = text.length - (/(?:…|\.{3})\s{0,4}$/.exec(text.slice(-8))?.[0].length ?? 0);
    if (!this.#mayBePiece(text, end - SHORTEST_SPREAD)) return [];
    for (let start = Math.max(0, end - CUT_WINDOW); start + SHORTEST_SPREAD <= end; start++) {
      const form = this.#heads.at(text, start)
        .find((secret) => secret.startsWith(text.slice(start, end)));
      if (form !== undefined) return [this.#piece(form, start, end)];
    }
    return [];
  }

  #cutAtStart(text: string): SecretSpan[] {
    const start = /^\s{0,4}(?:…|\.{3})/.exec(text)?.[0].length ?? 0;
    if (!this.#mayBePiece(text, start)) return [];
    for (
      let end = Math.min(text.length, start + CUT_WINDOW);
      end - start >= SHORTEST_SPREAD;
      end--
    ) {
      const form = this.#tails.at(text, end - SHORTEST_SPREAD)
        .find((secret) => secret.endsWith(text.slice(start, end)));
      if (form !== undefined) return [this.#piece(form, start, end)];
    }
    return [];
  }

  #whole(form: string, start: number): SecretSpan {
    const { kind = "secret", secret = form } = this.#known.get(form) ?? {};
    return { kind, start, end: start + form.length, certain: true, secret };
  }

  #piece(form: string, start: number, end: number): SecretSpan {
    return { kind: this.#known.get(form)?.kind ?? "secret", start, end, certain: false };
  }
}

/** Number of values of the hash of two neighbouring characters. */
const CUT_CELLS = 1 << 14;

/** Finds secrets by the eight characters at one of their ends. */
class CutIndex {
  readonly #secrets = new Map<string, string[]>();
  /** For each hash of two characters, 1 if any key of `#secrets` begins with these characters. */
  readonly #taken = new Uint8Array(CUT_CELLS);

  add(end: string, secret: string): void {
    const secrets = this.#secrets.get(end);
    if (secrets === undefined) this.#secrets.set(end, [secret]);
    else secrets.push(secret);
    this.#taken[cellAt(end, 0)] = 1;
  }

  /** Returns the secrets whose end in `#secrets` equals the eight characters at `offset`. */
  at(text: string, offset: number): readonly string[] {
    if (this.#taken[cellAt(text, offset)] !== 1) return [];
    return this.#secrets.get(text.slice(offset, offset + SHORTEST_SPREAD)) ?? [];
  }
}

function cellAt(text: string, offset: number): number {
  return ((text.charCodeAt(offset) << 7) ^ text.charCodeAt(offset + 1)) & (CUT_CELLS - 1);
}

/** True if a secret's text is so rare that each occurrence of the text must be the secret. */
function isWorthSpreading(secret: string): boolean {
  if (secret.length < SHORTEST_SPREAD) return false;
  if (new Set(secret).size < 5) return false;
  return /\d/.test(secret) && /\D/.test(secret) || secret.length >= 20 || /[^\w.-]/.test(secret);
}
