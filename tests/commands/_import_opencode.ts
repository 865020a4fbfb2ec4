/** Puts an exported session into a database, as `opencode import` does: `FILE DATABASE`. */
import { databaseOf, type Exported } from "../agents/opencode/_store.ts";

const [file = "", database = ""] = Deno.args;
Deno.writeFileSync(database, databaseOf(JSON.parse(Deno.readTextFileSync(file)) as Exported));
