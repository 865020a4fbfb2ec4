/**
 * Five megabytes without any secret, of what sessions are full of: hashes, ids, images, lock files,
 * bundles, logs, code.
 */
import { mulberry32 } from "../../_support/mulberry32.ts";
import { ROOT } from "../../_support/source_code.ts";
import { characters, fill, linesOf, type Random } from "./_secret_samples.ts";

const WORDS =
  "the session keeps event token key secret password auth author keyboard monkey tokenizer max tokens cookie policy signature credentials monkeypatch secretary passthrough bypass compass index value return async function const string number default user admin page cursor public cache"
    .split(" ");

function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)] ?? "");
}

function minified(random: Random): string {
  const [a, b, c, d] = [1, 2, 1, 3].map((count) => characters(random, "L", count));
  return `function ${a}(${b},${c}){var ${d}=${b}.key||${c}.token;return ${d}&&${d}.password?${d}.secret:${b}[${c}]}`;
}

/** A block of each sort; `<2-words>` are two words with `-` between them. */
const BLOCKS: readonly ((random: Random) => string)[] = linesOf("benign_blocks").map((block) =>
  block === "@minified" ? minified : (random) =>
    block.replaceAll(
      /<(\d)(.)words>|\{[a-zA-Z]\d+\}/g,
      (form, count?: string, between?: string) =>
        count === undefined ? fill(form, random) : words(random, Number(count)).join(between),
    )
);

/** This project's own files: code, prose and data as they are. */
export function ownFiles(): string[] {
  const texts: string[] = [];
  for (
    const folder of [
      "lib",
      "commands",
      "tests/core/log",
      "tests/core/store",
      "testdata/logs",
      ".github",
    ]
  ) {
    collect(new URL(`${folder}/`, ROOT), texts);
  }
  return texts;
}

function collect(folder: URL, texts: string[]): void {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    // The words that say what a secret looks like are its own.
    if (name === "redaction") continue;
    if (isDirectory) collect(new URL(`${name}/`, folder), texts);
    else if (/\.(?:ts|md|jsonl|yml)$/.test(name)) {
      texts.push(Deno.readTextFileSync(new URL(name, folder)));
    }
  }
}

/** At least so many characters, in texts of some kilobytes. */
export function* benignTexts(characterCount: number, seed: number): Generator<string> {
  const random = mulberry32(seed);
  let left = characterCount;
  for (const text of ownFiles()) {
    left -= text.length;
    yield text;
  }
  while (left > 0) {
    let text = "";
    while (text.length < 20_000) {
      const block = BLOCKS[Math.floor(random() * BLOCKS.length)];
      for (let copy = 0; copy < 4; copy++) text += block?.(random) ?? "";
    }
    left -= text.length;
    yield text;
  }
}
