/**
 * Five megabytes without any secret, of what sessions are full of: hashes, ids, images, lock files,
 * bundles, logs, code.
 */
import { mulberry32 } from "../../_support/mulberry32.ts";
import { ROOT } from "../../_support/source_code.ts";
import { characters, fill, type Random } from "./_secret_samples.ts";

const WORDS =
  "the session keeps event token key secret password auth author keyboard monkey tokenizer max tokens cookie policy signature credentials monkeypatch secretary passthrough bypass compass index value return async function const string number default user admin page cursor public cache"
    .split(" ");

function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)] ?? "");
}

function uuid(random: Random): string {
  return fill("{h8}-{h4}-4{h3}-a{h3}-{h12}", random);
}

/** A block of each sort. */
const BLOCKS: readonly ((random: Random) => string)[] = [
  (random) =>
    `commit ${fill("{h40}", random)}\nAuthor: A B <a@b.io>\n\n    ${words(random, 9).join(" ")}\n`,
  (random) =>
    `index ${fill("{h7}..{h7}", random)} 100644\n@@ -1,4 +1,4 @@ ${words(random, 4).join(" ")}\n`,
  (random) =>
    `{"id":"${uuid(random)}","parent_id":"${uuid(random)}","sha256":"${fill("{h64}", random)}"}\n`,
  (random) => `data:image/png;base64,iVBORw0KGgo${fill("{b4000}", random)}==\n`,
  (random) =>
    `"node_modules/${words(random, 1)[0]}": {"version": "1.2.3", "integrity": "sha512-${
      fill("{b86}", random)
    }=="},\n`,
  (random) =>
    `checksum = "${fill("{h64}", random)}"\nname = "${words(random, 1)[0]}"\nversion = "0.${
      fill("{d2}", random)
    }.1"\n`,
  (random) => `golang.org/x/crypto v0.${fill("{d2}", random)}.0 h1:${fill("{b43}", random)}=\n`,
  (random) => `--hash=sha256:${fill("{h64}", random)} \\\n`,
  (random) => {
    const [a, b, c, d] = [1, 2, 1, 3].map((count) => characters(random, "L", count));
    return `function ${a}(${b},${c}){var ${d}=${b}.key||${c}.token;return ${d}&&${d}.password?${d}.secret:${b}[${c}]}`;
  },
  (random) =>
    `2026-11-21T20:21:53.${fill("{d3}", random)}Z INFO req=${uuid(random)} token_count=${
      fill("{d4}", random)
    } key=${words(random, 1)[0]} took ${fill("{d2}", random)}ms\n`,
  (random) =>
    `const ${words(random, 2).join("_")} = await get${
      words(random, 1)[0]
    }(options.password, config.apiKey);\n`,
  (random) =>
    `  ${
      words(random, 1)[0]
    }: string;\n  password: string;\n  apiKey?: string;\n  token: Token = createToken();\n`,
  (random) =>
    `  "password": "Password",\n  "token": "Enter your token",\n  "secret": "${
      words(random, 3).join(" ")
    }",\n`,
  () =>
    "export OPENAI_API_KEY=<your-key>\nAPI_KEY=${API_KEY}\nTOKEN=xxxxxxxxxxxxxxxx\napi_key: process.env.API_KEY\n",
  () =>
    "aws_access_key_id = AKIAIOSFODNN7EXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
  () =>
    "postgres://user:password@localhost:5432/db https://${USER}:${PASS}@host/ ssh://git@github.com:22/x\n",
  (random) =>
    `"usage":{"input_tokens":${fill("{d4}", random)},"cache_key":"${
      fill("{h32}", random)
    }","next_page_token":"${fill("{a24}", random)}"}\n`,
  (random) =>
    `"message_id":"msg_${fill("{a24}", random)}","call_id":"toolu_${
      fill("{a24}", random)
    }","request_id":"req_${fill("{a24}", random)}"\n`,
  (random) =>
    `.btn-${words(random, 2).join("-")}{color:#${fill("{h6}", random)};background:url(x-${
      fill("{h8}", random)
    }.svg)}\n`,
  (random) =>
    `drwxr-xr-x 2 u u 4096 Nov 21 20:21 ${words(random, 2).join("-")}-${fill("{h8}", random)}.js\n`,
  (random) =>
    `image: registry.io/app@sha256:${fill("{h64}", random)}\nkubectl get pod app-${
      fill("{l10}-{l5}", random)
    }\n`,
  (random) =>
    `0x${fill("{h40}", random)} ${fill("{h2} {h2} {h2} {h2} {h4}", random)}  |..${
      characters(random, "L", 6)
    }..|\n`,
];

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
