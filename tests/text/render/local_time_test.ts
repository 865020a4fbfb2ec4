import assert from "node:assert/strict";
import { localeMinute, WRITTEN_LOCALES } from "../../../lib/text/render/local_time.ts";
import { type Context, timeFormat } from "../../../commands/_context.ts";

const HOURS = [0, 1, 9, 10, 11, 12, 13, 21, 23];
const DAYS = [1, 9, 10, 28];

/** Times of every month, in the zone of the process. */
const TIMES = Array.from(
  { length: 12 },
  (_, month) =>
    DAYS.flatMap((day) => HOURS.map((hour) => new Date(2026, month, day, hour, (hour * 7) % 60))),
)
  .flat();

Deno.test("a time is written as Intl writes it, in every locale that does without", () => {
  assert.ok(WRITTEN_LOCALES.length >= 40);
  for (const locale of WRITTEN_LOCALES) {
    const intl = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
    for (const time of TIMES) {
      assert.equal(
        localeMinute(locale, time),
        intl.format(time),
        `${locale} ${time.toISOString()}`,
      );
    }
  }
});

Deno.test("other locales, years of other calendars and what is no time are left to Intl", () => {
  const [time = new Date()] = TIMES;
  for (const locale of ["th-TH", "ar-EG", "fa-IR", "zh-TW", "no-such", "constructor", ""]) {
    assert.equal(localeMinute(locale, time), undefined);
  }
  for (
    const text of ["0001-01-01T00:00:00Z", "-000005-01-01T00:00:00Z", "+012026-01-01T00:00Z", "-"]
  ) {
    assert.equal(localeMinute("en-US", new Date(text)), undefined);
  }
});

Deno.test("a locale of the environment is written by Intl where it is not written here", () => {
  const [time = new Date()] = TIMES;
  const written = (locale: string): string => {
    const variable = (name: string): string | undefined => name === "LANG" ? locale : undefined;
    return timeFormat({ variable } as Context)(time.toISOString());
  };
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  for (const tag of ["th-TH", "en-US", "zh-TW", "ar-EG"]) {
    const intl = new Intl.DateTimeFormat(tag, options);
    assert.equal(written(`${tag.replace("-", "_")}.UTF-8`), intl.format(time));
  }
  assert.equal(written("not a language"), new Intl.DateTimeFormat(undefined, options).format(time));
});
