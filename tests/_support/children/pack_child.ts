/** Packs the earlier generations of a kept session. Argument: the session's folder. */
import { packGenerations } from "../../../lib/features/backup/pack_generations.ts";

if (import.meta.main) await packGenerations(Deno.args[0] ?? "");
