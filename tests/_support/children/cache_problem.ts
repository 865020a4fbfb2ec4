/** Becomes another user, and says why that user cannot use a cache folder: `UID FOLDER`. */
import { cacheProblem } from "../../../lib/library/catalogue/cache/own_cache.ts";

if (import.meta.main) {
  const [uid = "", folder = ""] = Deno.args;
  // Everything is loaded: another user may not be allowed to read this program.
  const name = Deno.build.os === "darwin" ? "libSystem.dylib" : "libc.so.6";
  const libc = Deno.dlopen(name, { setuid: { parameters: ["u32"], result: "i32" } });
  const failed = libc.symbols.setuid(Number(uid)) !== 0;
  const text = failed ? "cannot become another user" : cacheProblem(folder) ?? "usable";
  await Deno.stdout.write(new TextEncoder().encode(text));
}
