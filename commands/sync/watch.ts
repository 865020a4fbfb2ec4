/** `reprise sync watch`: pushes and pulls repeatedly, until ^C or SIGTERM. */
import { SessionError, type SessionErrorCode } from "../../lib/core/event/session_error.ts";
import { pause } from "../../lib/core/platform/pause.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import { parseCount } from "../_values.ts";
import { untilSignal } from "../_until_signal.ts";
import {
  type AccessOptions,
  accessOptions,
  knownSettings,
  machineSettings,
  neededSettings,
  nothingToSync,
  withTeam,
} from "./connection.ts";
import { roundLines, runRound } from "./machine_round.ts";
import { teamRound } from "./transfer.ts";

const USUAL_SECONDS = 30;
/**
 * Longest pause between two syncs, as a multiple of the shortest pause. With it, 10,000 idle
 * clients cause 33 logins a second at a store.
 */
const MAX_PAUSES = 10;

export const watchCommand = defineCommand({
  summary: "send and receive sessions, until ^C",
  description:
    "Send and receive every few seconds, with your machines and with your team, until ^C or " +
    "SIGTERM. Print one line for each change. If nothing changes, the program waits longer between " +
    "checks, up to ten times as long. If the place cannot be reached, the program tries again. To " +
    "run this at each login: reprise sync service install.",
  flags: {
    "--every <seconds>": { help: "the shortest pause", parse: parseCount, default: USUAL_SECONDS },
  },
  examples: ["reprise sync watch", "reprise sync watch --every 300"],
  run: (context, { every }) => watch(context, every),
});

async function watch(context: Context, seconds: number): Promise<void> {
  const machines = await machineSettings(context);
  // Errors in the settings are reported once, not every few seconds.
  const team = await knownSettings(context);
  if ((machines ?? team) === undefined) throw nothingToSync("watch");
  await follow(context, seconds, `Sending and receiving every ${seconds} s. To stop: ^C`, [
    ...team === undefined ? [] : [new TeamRounds(context)],
    ...machines === undefined ? [] : [new MachineRounds(context)],
  ]);
}

const AT_LOGIN = "To stop: ^C. At each login: reprise sync service install";

export async function followMachines(context: Context): Promise<void> {
  const beginning = `Following the sessions of your machines. ${AT_LOGIN}`;
  await follow(context, USUAL_SECONDS, beginning, [new MachineRounds(context)]);
}

export async function followTeam(context: Context): Promise<void> {
  const beginning = `Following the sessions of your team. ${AT_LOGIN}`;
  await follow(context, USUAL_SECONDS, beginning, [new TeamRounds(context)]);
}

async function follow(
  context: Context,
  seconds: number,
  beginning: string,
  rounds: readonly Pick<TeamRounds, "run" | "forget">[],
): Promise<void> {
  const news = new News(context);
  await untilSignal(async (signal) => {
    await say(context, beginning);
    let pauses = 1;
    while (!signal.aborted) {
      try {
        const lines: string[][] = [];
        for (const one of rounds) lines.push(await one.run(signal));
        const is_quiet = !await news.tell(lines.flat());
        pauses = is_quiet ? Math.min(2 * pauses, MAX_PAUSES) : 1;
        await news.reached();
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof SessionError)) throw error;
        for (const one of rounds) one.forget();
        await news.missed(error);
      }
      // Machines that start together do not stay together.
      await pause(seconds * pauses * (900 + 200 * Math.random()), signal);
    }
  });
}

/**
 * Pushes to the team's store and pulls from it. Remembers the password, because the password's
 * command may ask the user.
 */
class TeamRounds {
  readonly #context: Context;
  #access: AccessOptions | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Reads the settings each time, because projects may be added meanwhile. */
  async run(signal: AbortSignal): Promise<string[]> {
    const context = this.#context;
    const settings = await neededSettings(context, "watch");
    this.#access ??= await accessOptions(context, settings);
    const access = { ...settings, ...this.#access };
    return await withTeam(
      context,
      access,
      (team) => teamRound(context, team, settings, { signal, by: "sync watch" }),
    );
  }

  /** Forgets the password, because it may have changed. */
  forget(): void {
    this.#access = undefined;
  }
}

class MachineRounds {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Reads the settings each time, because projects may be added meanwhile. */
  async run(_signal: AbortSignal): Promise<string[]> {
    const settings = await machineSettings(this.#context);
    if (settings === undefined) return [];
    return await roundLines(settings, await runRound(this.#context, settings));
  }

  forget(): void {}
}

class News {
  readonly #context: Context;
  #before = new Set<string>();
  #trouble: SessionErrorCode | undefined;
  #was_reached = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Prints the lines that the previous call did not print, and returns true if there are any.
   * Always prints lines about sent and received sessions.
   */
  async tell(lines: readonly string[]): Promise<boolean> {
    const told = lines.filter((line) => !line.startsWith("Nothing new"));
    const news = told.filter((line) => !this.#before.has(line));
    for (const line of news) await say(this.#context, line);
    this.#before = new Set(told.filter((line) => !/^(?:\d|(?:Sent|Received|Added) )/.test(line)));
    return news.length > 0;
  }

  async reached(): Promise<void> {
    if (this.#trouble !== undefined) await say(this.#context, "The store can be reached again");
    this.#trouble = undefined;
    this.#was_reached = true;
  }

  /**
   * Reports an outage, and repeats the report only if the error's code changes.
   *
   * @throws {SessionError} The error, if the store was never reached and the error is not
   * `unreachable`.
   */
  async missed(error: SessionError): Promise<void> {
    if (!this.#was_reached && error.code !== "unreachable") throw error;
    if (this.#trouble === error.code) return;
    this.#trouble = error.code;
    await say(this.#context, `reprise: ${error.message}; trying again`);
  }
}
