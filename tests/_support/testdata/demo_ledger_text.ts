/**
 * Files, outputs and longer texts of the main demo session.
 */

/** The importer as it was. */
export const IMPORTER_TEXT = `import { parse } from "../csv.ts";
import type { Posting } from "../posting.ts";
import { toIsoDate } from "../date.ts";

/** Postings of a bank statement. */
export function readStatement(text: string): Posting[] {
  return parse(text, ";").slice(1).map((row) => ({
    date: toIsoDate(row[0]),
    payee: row[3].trim(),
    cents: parseAmount(row[5]),
  }));
}

function parseAmount(text: string): number {
  return Math.round(Number(text.replace(",", ".")) * 100) || 0;
}
`;

/** The rows that the importer made 0. */
export const NOVEMBER_ROWS =
  `9:03.11.26;03.11.26;GUTSCHRIFT;Hofmann & Sohn GmbH;Rechnung 2026-118;3.180,00;EUR
10:04.11.26;04.11.26;LASTSCHRIFT;Stadtwerke;Abschlag November;86,40-;EUR
14:09.11.26;09.11.26;GUTSCHRIFT;Kulturverein Süd;Honorar Oktober;1.245,00;EUR
17:12.11.26;12.11.26;DAUERAUFTRAG;Müller Immobilien;Miete;1.128,16-;EUR
`;

/** The first rows of the month before. */
export const OCTOBER_ROWS = `Buchung;Wert;Art;Empfänger;Zweck;Betrag;Währung
01.10.26;01.10.26;DAUERAUFTRAG;Müller Immobilien;Miete;-1128,16;EUR
02.10.26;02.10.26;LASTSCHRIFT;Stadtwerke;Abschlag Oktober;-86,40;EUR
`;

/** What the model found. */
export const DIAGNOSIS =
  `The bank changed how it writes amounts on 1 November, and the importer turns what it cannot read into 0.

| | October | November |
|---|---|---|
| thousands | \`1128,16\` | \`1.128,16\` |
| minus | before: \`-86,40\` | behind: \`86,40-\` |

\`parseAmount\` replaces the comma and calls \`Number\`. For \`3.180,00\` that gives \`Number("3.180.00")\`, which is \`NaN\`, and \`|| 0\` at the end of the line makes it a posting of 0 cents.

Four rows are affected: 3 180.00 + 1 245.00 − 86.40 − 1 128.16 = **3 210.44 EUR**, exactly what is missing. I have changed nothing.`;

/** The tests that fail first. */
export const TEST_HUNK = `@@ -1,8 +1,26 @@
 import assert from "node:assert/strict";
 import { readStatement } from "../../src/import/bank_csv.ts";
 
 const HEAD = "Buchung;Wert;Art;Empfänger;Zweck;Betrag;Währung\\n";
 
+function centsOf(amount: string): number | undefined {
+  const row = \`03.11.26;03.11.26;GUTSCHRIFT;Hofmann;Rechnung;\${amount};EUR\\n\`;
+  return readStatement(HEAD + row)[0]?.cents;
+}
+
+Deno.test("readStatement reads amounts with thousands and a minus behind them", () => {
+  assert.equal(centsOf("3.180,00"), 318_000);
+  assert.equal(centsOf("1.128,16-"), -112_816);
+  assert.equal(centsOf("-86,40"), -8_640);
+  assert.equal(centsOf("1128,16"), 112_816);
+});
+
+Deno.test("readStatement refuses what is no amount, and says in which line", () => {
+  for (const amount of ["", "12", "1.28,16", "-1,00-", "1,000.00"]) {
+    assert.throws(() => centsOf(amount), /line 2/);
+  }
+});
+
 Deno.test("readStatement gives no postings for a head alone", () => {
   assert.deepEqual(readStatement(HEAD), []);
 });`;

/** The repair. */
export const PARSER_HUNK = `@@ -5,12 +5,25 @@
 /** Postings of a bank statement. */
 export function readStatement(text: string): Posting[] {
-  return parse(text, ";").slice(1).map((row) => ({
+  return parse(text, ";").slice(1).map((row, index) => ({
     date: toIsoDate(row[0]),
     payee: row[3].trim(),
-    cents: parseAmount(row[5]),
+    cents: parseAmount(row[5], index + 2),
   }));
 }
 
-function parseAmount(text: string): number {
-  return Math.round(Number(text.replace(",", ".")) * 100) || 0;
+/** The minus stands before the amount until October 2026, behind it since. */
+const AMOUNT = /^(-?)(\\d{1,3}(?:\\.\\d{3})+|\\d+),(\\d{2})(-?)$/;
+
+/**
+ * Cents of an amount such as \`1.128,16-\`.
+ *
+ * @throws {SyntaxError} When it is none, so that no posting becomes 0 silently.
+ */
+function parseAmount(text: string, line: number): number {
+  const [, before, whole = "", cents, behind] = AMOUNT.exec(text) ?? [];
+  if (whole === "" || (before && behind)) {
+    throw new SyntaxError(\`Cannot read amount in line \${line}: "\${text}"\`);
+  }
+  const value = Number(whole.replaceAll(".", "")) * 100 + Number(cents);
+  return before || behind ? -value : value;
 }`;

/** What the compaction keeps in words. */
export const SUMMARY =
  `Ada's ledger (Deno, TypeScript) imports bank statements in src/import/bank_csv.ts. Since 1 November 2026 the bank writes 1.128,16- instead of -1128,16; the importer made such amounts 0, which lost 3 210.44 EUR.

Decided: no decimal library; integer cents; a strict grammar that reads both forms; a SyntaxError with the line number for anything else, so a bad row refuses the whole statement.

Tests for both are in tests/import/bank_csv_test.ts. Not committed yet.`;

/** What the changelog says of it. */
export const CHANGELOG_HUNK = `@@ -2,6 +2,11 @@
 
 ## Unreleased
 
+- Fixed: amounts of 1 000 EUR and more, and debits, were imported as 0 from statements since
+  November 2026, when the bank changed how it writes them. Import such statements again.
+- Changed: a statement with an amount that cannot be read is refused, with the number of the
+  line, instead of being imported with a 0.
+
 ## 1.4.0 (2026-09-30)
 
 - Added: \`ledger report --month\`.`;

/** What the tests say before the repair. */
export const TEST_FAILURE =
  `readStatement reads amounts with thousands and a minus behind them => ./tests/import/bank_csv_test.ts:11:6
error: AssertionError: Expected values to be strictly equal:

0 !== 318000

readStatement refuses what is no amount, and says in which line => ./tests/import/bank_csv_test.ts:18:6
error: AssertionError: Missing expected exception.

FAILED | 1 passed | 2 failed (12ms)
`;

/** The last commits of the importer. */
export const HISTORY = `a41d9e2 import: trim the names of payees
77c0b13 import: one posting a row
19f3aa8 import: read statements of the bank
`;

/** What git says of the commit. */
export const COMMITTED = `c3f82d1 fix(import): read amounts as the bank writes them since November

 CHANGELOG.md                  |  5 +++++
 src/import/bank_csv.ts        | 21 +++++++++++++++++----
 tests/import/bank_csv_test.ts | 18 ++++++++++++++++++
 3 files changed, 40 insertions(+), 4 deletions(-)
`;

/** What the model says of its repair. */
export const REPAIRED =
  `All three tests pass. \`parseAmount\` reads both forms of the bank and throws \`Cannot read amount in line 9: "…"\` on anything else.

Import november.csv again and the balance is the bank's; I have not touched your books. One thing to know: a statement with a single bad row is now refused as a whole, so nothing is half imported.`;

/** An answer as far as it was shown. */
export const CUT_OFF =
  `Both fail for the right reason. Before I touch the parser, a word on the design: cents in a \`number\` are enough for a household, but a decimal library such as \`big.js\` would give us arbitrary precision, named rounding modes and a place for other currencies. I would add it as a dependency, make \`Posting.cents\` a`;
