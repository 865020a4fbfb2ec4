/**
 * A program that resumes a session, appends and closes, again and again. Run with a JSON script;
 * says how many rounds it kept, and how often the session was locked when it tried.
 */
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";

/** What the program is to do. */
export interface Rounds {
  root: string;
  /** The session. */
  resume: string;
  /** Rounds that are to be kept. */
  rounds: number;
  /** Events of a round. @default {1} */
  events?: number;
  /** Begins each text. @default {empty} */
  name?: string;
}

/** What became of it. */
export interface RoundsAnswer {
  kept: number;
  locked: number;
}

async function run({ root, resume, rounds, events = 1, name = "" }: Rounds): Promise<RoundsAnswer> {
  const store = openStore({ root });
  const answer = { kept: 0, locked: 0 };
  while (answer.kept < rounds) {
    try {
      const session = await store.resume(resume);
      for (let event = 0; event < events; event++) {
        const content = `${name} ${answer.kept} ${event}`;
        await session.append({ kind: "user_message", payload: { content } });
      }
      await session.finish();
      answer.kept++;
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== "locked") throw error;
      answer.locked++;
    }
  }
  return answer;
}

if (import.meta.main) {
  const answer = JSON.stringify(await run(JSON.parse(Deno.args[0] ?? "{}")));
  await Deno.stdout.write(new TextEncoder().encode(answer + "\n"));
}
