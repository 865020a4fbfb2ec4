/** JSON documents with numbers that JavaScript would write otherwise. */
import fc from "npm:fast-check@4.10.2";

/** The text of a JSON number of any form and length. */
export const nastyNumber: fc.Arbitrary<string> = fc.tuple(
  fc.constantFrom("", "-"),
  fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
  fc.oneof(fc.constant(""), fc.stringMatching(/^\.[0-9]{1,25}$/)),
  fc.oneof(fc.constant(""), fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)),
).map((parts) => parts.join(""));

/** A document whose numbers are `{ number: text }`, so that their texts are known. */
export type NastyDocument = NastyNumber | string | boolean | null | NastyDocument[] | NastyObject;

interface NastyNumber {
  number: string;
}

interface NastyObject {
  members: [string, NastyDocument][];
}

// Names that are array indices are sorted by JavaScript, so they are another test's.
const name = fc.oneof(
  fc.constantFrom("id", "__proto__", "constructor", "toJSON", "source", "1.0", "-1", "01"),
  fc.string({ unit: "grapheme" }),
).filter((text) => !/^(0|[1-9]\d*)$/.test(text) && text.isWellFormed());

/** Documents of any shape. */
export const nastyDocument: fc.Arbitrary<NastyDocument> = fc.letrec<{ value: NastyDocument }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      nastyNumber.map((number): NastyDocument => ({ number })),
      fc.string({ unit: "grapheme" }).map((text) => text.toWellFormed()),
      fc.constantFrom<NastyDocument>(true, false, null, '1.0, "-0"', "\\"),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.uniqueArray(fc.tuple(name, tie("value")), { maxLength: 5, selector: ([key]) => key })
        .map((members): NastyDocument => ({ members })),
    ),
  }),
).value;

/** The text of a document. */
export function documentOf(document: NastyDocument): string {
  if (typeof document !== "object" || document === null) return JSON.stringify(document);
  if (Array.isArray(document)) return `[${document.map(documentOf).join(",")}]`;
  if ("number" in document) return document.number;
  const members = document.members.map(([key, value]) =>
    `${JSON.stringify(key)}:${documentOf(value)}`
  );
  return `{${members.join(",")}}`;
}
