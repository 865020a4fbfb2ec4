/**
 * A number of JSON that keeps the text it was written in.
 *
 * @module
 */

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A number of JSON whose text JavaScript would change: `1234567890123456789`, `1.0`, `1e400`, `-0`.
 * Readers give it wherever a payload may hold any JSON value, such as a call's `input`.
 *
 * `JSON.stringify` writes its text. `Number(value)` and arithmetic take the nearest number. It does
 * not survive `structuredClone`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ExactNumber } from "@reprise/reprise/pipeline";
 *
 * const id = new ExactNumber("1234567890123456789");
 * assert.equal(JSON.stringify({ id }), '{"id":1234567890123456789}');
 * assert.equal(`${id}`, "1234567890123456789");
 * assert.equal(Number(id), 1234567890123456800);
 * ```
 */
export class ExactNumber {
  /** The text of the JSON number, as it was written. */
  readonly source: string;

  /**
   * Keeps a number as it is written.
   *
   * @param source The text of a JSON number.
   * @throws {TypeError} If `source` is no JSON number.
   */
  constructor(source: string) {
    if (!NUMBER.test(source)) {
      throw new TypeError(
        `Cannot store this value: it is not a valid JSON number: ${JSON.stringify(source)}`,
      );
    }
    this.source = source;
  }

  /** Makes `JSON.stringify` write the number's own text. */
  toJSON(): unknown {
    return rawJson(this.source);
  }

  /** Returns the nearest JavaScript number, which may be infinite. */
  valueOf(): number {
    return Number(this.source);
  }

  /** Returns the number's own text. */
  toString(): string {
    return this.source;
  }
}

/** TypeScript's own library does not know `JSON.rawJSON` yet. */
const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };

/**
 * Returns a value that `JSON.stringify` writes as this text.
 *
 * @throws {TypeError} If the runtime has no `JSON.rawJSON`.
 */
function rawJson(text: string): unknown {
  if (rawJSON !== undefined) return rawJSON(text);
  throw new TypeError(
    `Cannot write number ${text}: this runtime has no JSON.rawJSON. ` +
      `Use Deno 2 or Node.js 22, or a later version.`,
  );
}
