/**
 * A program that keeps summaries of sessions in a store's catalogue, one save after the other, and
 * tells at each how many sessions of its own it finds in the catalogue. Run with a JSON script.
 */
import { Catalogue } from "../../../lib/library/catalogue/catalogue.ts";
import { lookAtSession } from "../../../lib/library/catalogue/session_state.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { LATER, summaryOf } from "../catalogued.ts";

/** What the program is to do. */
export interface Keeping {
  root: string;
  sessions: AgentSession[];
  /** Saves, each of all sessions under a title of its own. */
  rounds: number;
}

if (import.meta.main) {
  const { root, sessions, rounds } = JSON.parse(Deno.args[0] ?? "") as Keeping;
  for (let round = 0; round < rounds; round++) {
    const catalogue = new Catalogue({ folder: root, now: LATER });
    for (const session of sessions) {
      const state = lookAtSession(session);
      catalogue.find(session, state)?.row();
      catalogue.put(session, state, summaryOf(session, `round ${round}`));
    }
    catalogue.save();
    catalogue[Symbol.dispose]();
    await Deno.stdout.write(new TextEncoder().encode(`${round}\n`));
  }
}
