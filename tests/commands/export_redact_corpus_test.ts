/**
 * A hundred secrets of ten families in one session, exported in every form with `--redact`. One seed
 * is fixed, and another one no rule was ever written against.
 */
import { ALL_TORTURE } from "../_support/torture.ts";
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { EXPORT_FORMATS } from "../../lib/features/export/export_document.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { inContext, SAMPLE_FAMILIES } from "../text/redaction/_secret_samples.ts";
import { windows } from "../text/redaction/vendors/carrier.ts";

/** Each has a form, or a name beside it. */
const FAMILIES = [
  ...["aws-access-key-id", "github-token", "slack-token", "stripe-key", "openai-key"],
  ...["anthropic-key", "private-key", "url-password", "authorization", "password"],
];
const EACH = ALL_TORTURE ? 10 : 4;
const OWN_SEED = Deno.env.get("REPRISE_SECRETS_SEED");
const SEEDS = ALL_TORTURE ? [74, Number(OWN_SEED ?? 20_261_123)] : [Number(OWN_SEED ?? 74)];

/** A secret, and what stands around it. */
type Sample = Record<"family" | "secret" | "text", string>;

function corpus(seed: number): Sample[] {
  const random = mulberry32(seed);
  return FAMILIES.flatMap((kind) => {
    const forms = SAMPLE_FAMILIES.filter((family) => family.kind === kind);
    return Array.from({ length: EACH }, (_, index) => {
      const form = forms[index % forms.length];
      assert.ok(form, kind);
      const secret = form.secret(random);
      return { family: form.name, secret, text: inContext(form, secret) };
    });
  });
}

function answer(content: unknown): NewEvent {
  return { kind: "assistant_message", payload: { content } } as NewEvent;
}

function called(call_id: string, name: string, input: unknown, output: string): NewEvent[] {
  return [
    answer([{ type: "tool_call", call_id, name, input }]),
    { kind: "tool_end", payload: { call_id, name, status: "ok", output } },
  ];
}

/** The places of a session in which a secret can stand. */
const PLACES: ((text: string, call_id: string) => NewEvent[])[] = [
  (text) => [{ kind: "user_message", payload: { content: `Use this:\n${text}\n` } }],
  (text) => [answer(`I found\n\n${text}\n\nthere.`)],
  (text) => [answer([{ type: "reasoning", text: `The user gave\n${text}` }])],
  (text, call_id) => called(call_id, "write", { content: text }, "written"),
  (text, call_id) => called(call_id, "read", { path: ".env" }, `1\t${text}\n`),
  (text, call_id) => {
    const bash = { call_id, command: `cat <<'E'\n${text}\nE` };
    return [
      { kind: "bash_start", payload: bash },
      { kind: "bash_end", payload: { ...bash, status: "ok", exit_code: 0, output: text } },
    ];
  },
];

/** Removes the escapes, tags and line breaks that a format adds to texts. */
function bareText(document: string): string {
  return document.replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|#38);/g, "&")
    .replaceAll(/&(?:#39|#x27);/g, "'")
    .replaceAll(/\\[nt]|[\\\s|│]/g, "");
}

/** Samples of which a piece is in a document. */
function leaked(samples: readonly Sample[], document: string): string[] {
  const texts = [document, bareText(document)];
  return samples.filter(({ secret }) => {
    const parts = secret.startsWith("-----") ? secret.split("\n").slice(1, -1) : [secret];
    const pieces = parts.flatMap((part) => windows(part));
    return pieces.some((piece) => texts.some((text) => text.includes(piece)));
  }).map(({ family, secret }) => `${family}: ${secret}`);
}

for (const seed of SEEDS) {
  // Slow: every format is searched for every piece of every secret.
  Deno.test(`no export with --redact leaks one of ${FAMILIES.length * EACH} secrets in ten families: seed ${seed}`, async () => {
    const samples = corpus(seed);
    assert.equal(samples.length, FAMILIES.length * EACH);
    await using home = new CliHome();
    const events = samples.flatMap(({ text }, at) => PLACES[at % PLACES.length]!(text, `c${at}`));
    home.keep(sessionId("aaaa"), events, { title: "The corpus" });
    for (const format of EXPORT_FORMATS) {
      const args = ["export", "aaaa", "--format", format];
      const { stdout, stderr } = await home.succeed([...args, "--redact"]);
      assert.deepEqual(leaked(samples, stdout), [], format);
      assert.ok(stdout.split("[redacted:").length > samples.length / 2, format);
      assert.deepEqual(leaked(samples, stderr), [], format);
      // What looks for secrets finds them where they are.
      const plain = await home.run([...args, "--no-redact"]);
      assert.ok(leaked(samples, plain.stdout).length >= samples.length * 0.9, format);
    }
  });
}
