/** Guards of options: an option of an unknown name is refused, with the name that was meant. */
import { fields, type Guard, isObject } from "../event/guard.ts";
import { nearestWord } from "../workspace/nearest_word.ts";

/** Accepts an object whose options are accepted by their guards. No other option is known. */
export function options(guards: Readonly<Record<string, Guard>>): Guard {
  const named = fields(guards);
  return (value) => {
    const unknown = isObject(value)
      ? Object.keys(value).find((name) => !Object.hasOwn(guards, name))
      : undefined;
    if (unknown === undefined) return named(value);
    const near = nearestWord(unknown, Object.keys(guards));
    return `.${unknown} is not an option; ${
      near === undefined
        ? `the options are ${Object.keys(guards).join(", ")}`
        : `did you mean ${near}?`
    }`;
  };
}
