/** `reprise sync watch` */
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
  knownIdentities,
  knownSettings,
  neededSettings,
  withTeamStore,
} from "./connection.ts";
import { contextLibrary } from "../_library.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import { roundLines, runRound } from "./machine_round.ts";
import { goneLines } from "./added_project.ts";
import { pullLines, pushLines } from "./report_text.ts";
import { pullOnce, pushOnce } from "./transfer.ts";

const USUAL_SECONDS = 30;
/**
 * The longest pause as a multiple of the shortest one: a store with 10,000 watchers takes 33 logins
 * a second.
 */
const MAX_PAUSES = 10;

export const watchCommand = defineCommand({
  summary: "push and pull continuously, until ^C",
  description:
    "Push and pull every few seconds, until ^C or SIGTERM. Print one line for each change. If " +
    "nothing changes, the program waits longer between checks, up to ten times as long. If the " +
    "store cannot be reached, the program tries again. To run this at each login: reprise sync " +
    "service install.",
  flags: {
    "--every <seconds>": { help: "the shortest pause", parse: parseCount, default: USUAL_SECONDS },
  },
  examples: ["reprise sync watch", "reprise sync watch --every 300"],
  run: (context, { every }) => watch(context, every),
});

async function watch(context: Context, seconds: number): Promise<void> {
  const machines = await machineSettings(context);
  // Errors in the settings are reported once, not every few seconds.
  const team = machines === undefined
    ? await neededSettings(context, "watch")
    : await knownSettings(context);
  const none = "No project was added yet. To add one, run in its directory: reprise sync add";
  await follow(context, seconds, {
    beginning: `Pushing and pulling every ${seconds} s. To stop: ^C`,
    advice: team?.projects.length === 0 ? [none] : [],
    rounds: [
      ...team === undefined ? [] : [new Rounds(context)],
      ...machines === undefined ? [] : [new MachineRounds(context)],
    ],
  });
}

/** Follows the sessions of the user's machines, until ^C. */
export async function followMachines(context: Context): Promise<void> {
  await follow(context, USUAL_SECONDS, {
    beginning:
      "Following the sessions of your machines. To stop: ^C. At each login: reprise sync " +
      "service install",
    advice: [],
    rounds: [new MachineRounds(context)],
  });
}

/** The rounds to repeat, and the lines before them. */
interface Following {
  beginning: string;
  advice: readonly string[];
  rounds: readonly Pick<Rounds, "run" | "forget">[];
}

async function follow(
  context: Context,
  seconds: number,
  { beginning, advice, rounds }: Following,
): Promise<void> {
  const news = new News(context);
  await untilSignal(async (signal) => {
    await say(context, beginning);
    for (const line of advice) await say(context, line);
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
 * Pushes and pulls. The output of the user's programs is remembered, because they may ask for a
 * password.
 */
class Rounds {
  readonly #context: Context;
  #access: AccessOptions | undefined;
  #identities: readonly string[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  /** Pushes and pulls once. The settings are read anew, because projects may be added meanwhile. */
  async run(signal: AbortSignal): Promise<string[]> {
    const context = this.#context;
    const settings = await neededSettings(context, "watch");
    this.#access ??= await accessOptions(context, settings);
    if (this.#identities.length === 0) {
      this.#identities = await knownIdentities(context, settings);
    }
    const options = { identities: this.#identities, signal, by: "sync watch" } as const;
    const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
    const access = { ...settings, ...this.#access };
    return await withTeamStore(context, access, async (store) => {
      const pushed = await pushOnce(context, store, settings, options);
      const pulled = await pullOnce(context, store, settings, options);
      return [
        ...pushLines(pushed, formatBytes),
        ...goneLines(settings.projects),
        ...pullLines(pulled, formatBytes),
      ];
    });
  }

  /** Forgets the password, because it may have changed. */
  forget(): void {
    this.#access = undefined;
  }
}

async function machineSettings(context: Context): Promise<MachineSettings | undefined> {
  const { readMachineSettings } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  return readMachineSettings(contextLibrary(context).root);
}

/** Runs rounds between the user's machines. */
class MachineRounds {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Runs one round. The settings are read anew, because projects may be added meanwhile. */
  async run(_signal: AbortSignal): Promise<string[]> {
    const settings = await machineSettings(this.#context);
    return settings === undefined ? [] : await roundLines(await runRound(this.#context, settings));
  }

  forget(): void {}
}

/** Printer of news that remembers the last printed lines, so that none is repeated directly. */
class News {
  readonly #context: Context;
  #before = new Set<string>();
  #trouble: SessionErrorCode | undefined;
  #was_reached = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Prints new lines, and troubles that were not printed the last time. @returns Whether there were any. */
  async tell(lines: readonly string[]): Promise<boolean> {
    const told = lines.filter((line) => !line.startsWith("Nothing new"));
    for (const line of told) if (!this.#before.has(line)) await say(this.#context, line);
    this.#before = new Set(told.filter((line) => !/^\d/.test(line)));
    return told.length > 0;
  }

  async reached(): Promise<void> {
    if (this.#trouble !== undefined) await say(this.#context, "The store can be reached again");
    this.#trouble = undefined;
    this.#was_reached = true;
  }

  /**
   * Reports an outage once, although a starting server gives other reasons than a missing one.
   *
   * @throws {SessionError} What no waiting mends: before the store was reached for the first time.
   */
  async missed(error: SessionError): Promise<void> {
    if (!this.#was_reached && error.code !== "unreachable") throw error;
    if (this.#trouble === error.code) return;
    this.#trouble = error.code;
    await say(this.#context, `reprise: ${error.message}; trying again`);
  }
}
