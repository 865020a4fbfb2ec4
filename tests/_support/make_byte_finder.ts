/**
 * Compiles `lib/core/log/byte_finder.wat`. Run as a program, it writes `lib/core/log/byte_finder_code.ts`:
 * `deno run -A tests/_support/make_byte_finder.ts`.
 */
import makeWabt from "npm:wabt@1.0.39";

const SOURCE = new URL("../../lib/core/log/byte_finder.wat", import.meta.url);
const CODE = new URL("../../lib/core/log/byte_finder_code.ts", import.meta.url);
const LINE = 84;

/** The module that the source makes. */
export async function compileByteFinder(): Promise<Uint8Array> {
  const wabt = await makeWabt();
  const text = await Deno.readTextFile(SOURCE);
  const parsed = wabt.parseWat("byte_finder.wat", text, { simd: true });
  try {
    return parsed.toBinary({}).buffer;
  } finally {
    parsed.destroy();
  }
}

if (import.meta.main) {
  const base64 = btoa(String.fromCharCode(...await compileByteFinder()));
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  await Deno.writeTextFile(
    CODE,
    `/**
 * The WebAssembly module that \`byte_finder.wat\` makes, by \`tests/_support/make_byte_finder.ts\`:
 * inside the program, because an executable has no files beside it.
 */
export const BYTE_FINDER_CODE = ${lines.map((line) => `"${line}"`).join(" +\n  ")};
`,
  );
}
