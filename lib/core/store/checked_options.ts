/** Guards for options. An unknown option is refused, and the error suggests a similar name. */
import { checkArgument, fields, type Guard, isObject } from "../event/guard.ts";
import { nearestWord } from "../workspace/nearest_word.ts";

/** A guard for each option, so that none is forgotten. */
type OptionGuards<Options> = { readonly [Name in keyof Options]-?: Guard };

/** Accepts any value, because the value is checked where it is used. */
export function unchecked(): undefined {
  return undefined;
}

/**
 * Returns a guard for an object of options. It refuses an unknown option even if its value is
 * undefined, because a misspelled `rooot: undefined` would silently have the default.
 */
export function options<Options>(guards: OptionGuards<Options>): Guard {
  const named = fields(guards);
  const names = Object.keys(guards);
  return (value) => {
    const unknown = isObject(value)
      ? Object.keys(value).find((name) => !Object.hasOwn(guards, name))
      : undefined;
    if (unknown === undefined) return named(value);
    const near = nearestWord(unknown, names);
    const advice = near === undefined ? `give one of ${names.join(", ")}` : `did you mean ${near}?`;
    return `.${unknown} is not an option; ${advice}`;
  };
}

/**
 * Refuses options of unknown names. Their values are checked where they are used.
 *
 * @param names The names of all options.
 * @throws {SessionError} `invalid-argument`
 */
export function checkNames<Options>(
  action: string,
  given: Options,
  names: { readonly [Name in keyof Options]-?: true },
): void {
  const guards = Object.fromEntries(Object.keys(names).map((name) => [name, unchecked]));
  checkArgument(action, "options", options(guards), given);
}
