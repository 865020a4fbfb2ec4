/** Says why the cache folder in its argument cannot be used. */
import { cacheProblem } from "../../../lib/library/cache/own_cache.ts";

if (import.meta.main) {
  const [folder = ""] = Deno.args;
  await Deno.stdout.write(new TextEncoder().encode(cacheProblem(folder) ?? "usable"));
}
