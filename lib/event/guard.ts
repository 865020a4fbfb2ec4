/**
 * Guards that say what does not fit. Unknown fields pass by construction: only named ones are looked at.
 */
import { ExactNumber } from "./exact_number.ts";
import { SessionError, type SessionErrorCode } from "./session_error.ts";

/** Returns what is wrong with a value, or undefined when it fits. */
export type Guard = (value: unknown) => string | undefined;

/** A reason with the place where it holds before it: `.content[0].text is not a string`. */
export function within(place: string, reason: string): string {
  return reason.startsWith(".") || reason.startsWith("[")
    ? `${place}${reason}`
    : `${place} ${reason}`;
}

/** Any string. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "is not a string";
}

/** A string that is not blank. */
export function words(value: unknown): string | undefined {
  return text(value) ?? ((value as string).trim() === "" ? "is blank" : undefined);
}

/** A date that is one. */
export function date(value: unknown): string | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? undefined : "is not a date";
}

/** A number that is not negative. */
export function amount(value: unknown): string | undefined {
  return number(value) ?? ((value as number) < 0 ? "is negative" : undefined);
}

/** Any number that JSON can hold. */
export function number(value: unknown): string | undefined {
  return typeof value === "number" && Number.isFinite(value) ? undefined : "is not a number";
}

/** A whole number, at least `least`. */
export function whole(least: number): Guard {
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? undefined
      : `is not a whole number of at least ${least}`;
}

/** True or false. */
export function flag(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : "is not true or false";
}

/** Anything that is there. */
export function anything(value: unknown): string | undefined {
  return value === undefined ? "is missing" : undefined;
}

/** One of the given strings or flags. */
export function oneOf(...choices: readonly (string | boolean)[]): Guard {
  return (value) =>
    choices.includes(value as string) ? undefined : `is none of ${choices.join(", ")}`;
}

/** Absent, or what `guard` takes. */
export function optional(guard: Guard): Guard {
  return (value) => value === undefined ? undefined : guard(value);
}

/** An array whose every item `guard` takes. */
export function list(guard: Guard): Guard {
  return (value) => {
    if (!Array.isArray(value)) return "is not an array";
    for (let index = 0; index < value.length; index++) {
      const reason = guard(value[index]);
      if (reason !== undefined) return within(`[${index}]`, reason);
    }
    return undefined;
  };
}

/** Whether `value` is an object of JSON: neither an array nor a number that keeps its text. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof ExactNumber);
}

/**
 * An object whose named fields fit; others pass. A field that must be a number, and was written as
 * JavaScript would not, such as `1.0`, becomes that number.
 */
export function fields(guards: Readonly<Record<string, Guard>>): Guard {
  const entries = Object.entries(guards);
  return (value) => {
    if (!isObject(value)) return "is not an object";
    for (const [name, guard] of entries) {
      const reason = guard(value[name]);
      if (reason !== undefined && !takesNumber(guard, value, name)) {
        return within(`.${name}`, reason);
      }
    }
    return undefined;
  };
}

/** An object of these fields alone, each of which may be missing. */
export function only(guards: Readonly<Record<string, Guard>>): Guard {
  const named = fields(
    Object.fromEntries(Object.entries(guards).map(([name, guard]) => [name, optional(guard)])),
  );
  return (value) => {
    const reason = named(value);
    if (reason !== undefined) return reason;
    const other = Object.keys(value as object).find((name) => !Object.hasOwn(guards, name));
    return other === undefined
      ? undefined
      : `.${other} is none of ${Object.keys(guards).join(", ")}`;
  };
}

function takesNumber(guard: Guard, value: Record<string, unknown>, name: string): boolean {
  const exact = value[name];
  if (!(exact instanceof ExactNumber) || guard(Number(exact)) !== undefined) return false;
  value[name] = Number(exact);
  return true;
}

/** An object that one guard takes where it has the field `name`, and another where it has not. */
export function either(name: string, guards: { present: Guard; absent: Guard }): Guard {
  return (value) => {
    const present = isObject(value) && value[name] !== undefined;
    return present ? guards.present(value) : guards.absent(value);
  };
}

/** A string, or what `guard` takes. */
export function textOr(guard: Guard): Guard {
  return (value) => {
    if (typeof value === "string") return undefined;
    return Array.isArray(value) ? guard(value) : "is neither a string nor an array";
  };
}

/** An object whose field `tag` chooses the guard; unknown tags are refused. */
export function tagged(tag: string, guards: Readonly<Record<string, Guard>>): Guard {
  return (value) => {
    if (!isObject(value)) return "is not an object";
    const name = value[tag];
    if (typeof name !== "string" || !Object.hasOwn(guards, name)) {
      return `.${tag} is none of ${Object.keys(guards).join(", ")}`;
    }
    return guards[name]?.(value);
  };
}

/**
 * Makes sure that an argument fits.
 *
 * @throws {SessionError} `invalid-argument`, or the given code, with the name of what does not fit.
 */
export function checkArgument(
  action: string,
  name: string,
  guard: Guard,
  value: unknown,
  code: SessionErrorCode = "invalid-argument",
): void {
  const reason = guard(value);
  if (reason === undefined) return;
  throw new SessionError(code, `Cannot ${action}: ${within(name, reason)}`, {});
}
