/** Advice for a word after `reprise sync` that names neither a command nor a folder. */
import { isThere } from "../../lib/core/file/presence.ts";
import { quoteWord } from "../../lib/core/platform/shell_word.ts";
import { nearestWord } from "../../lib/core/workspace/nearest_word.ts";
import { type Context, pathOf } from "../_context.ts";
import { UsageError } from "../_failure.ts";

const BEGIN = "Type: reprise sync PLACE, or to share with a team: reprise sync team PLACE";
const ADD = "Type in the project's directory: reprise sync PLACE, or to share it with a team: " +
  "reprise sync team PLACE";
const PAIR =
  "Your machines are paired by words. To show them: reprise sync words. Members join a " +
  "team by: reprise sync team PLACE";

/** Advice by the word that a user typed after `reprise sync`, including former commands. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...{ init: BEGIN, join: BEGIN, connect: BEGIN, add: ADD, share: ADD },
  ...{ trust: PAIR, accept: PAIR, invite: PAIR, pair: PAIR, key: PAIR, keys: PAIR },
  ...{ rekey: "Type: reprise sync words --new", status: "Type: reprise sync" },
  ...{ state: "Type: reprise sync", info: "Type: reprise sync", now: "Type: reprise sync --once" },
  ...{ start: "Type: reprise sync watch", follow: "Type: reprise sync watch" },
  ...{ stop: "Type: reprise sync remove", leave: "Type: reprise sync remove" },
  admin: "The owner of a team's database uses SQL. To make or join a team: reprise sync team PLACE",
  upgrade: "To make or join a team's store: reprise sync team PLACE",
};
const COMMANDS = [
  "words",
  "watch",
  "service",
  "remove",
  "team",
  "push",
  "pull",
  "check",
  "withdraw",
];

/** Returns the error message for a former or guessed `sync` command. Undefined for other words. */
export function formerSync([word = "", given]: readonly string[]): string | undefined {
  if (!Object.hasOwn(INSTEAD, word)) return undefined;
  const advice = INSTEAD[word] ?? "";
  const is_place = advice === BEGIN && given !== undefined && !given.startsWith("-");
  const line = is_place ? advice.replaceAll("PLACE", quoteWord(given)) : advice;
  return `There is no command sync ${word}. ${line}`;
}

/**
 * Refuses a single word that names no folder, because it is probably meant as a command.
 *
 * @param name The command that takes the address, such as `sync team`.
 * @throws {UsageError}
 */
export function assertPlace(context: Context, name: string, place: string): void {
  if (!/^[a-z-]+$/i.test(place) || isThere(pathOf(context, place) ?? place)) return;
  const near = nearestWord(place, COMMANDS);
  const meant = near === undefined ? "" : `Did you mean: reprise sync ${near}? `;
  throw new UsageError(
    formerSync([place]) ??
      `There is no command sync ${place}, and no folder ${place}. ${meant}To make the folder: ` +
        `reprise ${name} ./${place}`,
  );
}
