/**
 * Formats times in the reader's locale and zone. Common locales do without `Intl`, because its
 * first format takes a third of the program's start. A test compares each locale with `Intl`.
 */

interface Form {
  /**
   * The text, with its fields in braces. A doubled letter means two digits.
   *
   * `D` day, `M` month, `N` name of the month, `Y` year, `H` hour, `h` hour of twelve, `m` minute,
   * `a` half of the day.
   */
  pattern: string;
  months?: string;
  halves?: readonly [string, string];
  /** The parsed pattern. Absent until it is first used. */
  read?: ReadForm;
}

interface ReadForm {
  parts: readonly string[];
  months: readonly string[];
}

const ENGLISH = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
const BRITISH = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec";
const AUSTRALIAN = "Jan Feb Mar Apr May June July Aug Sept Oct Nov Dec";
const NAMED = "{D} {N} {Y}, {HH}:{mm}";
const NAMED_IN_HALVES = "{D} {N} {Y}, {h}:{mm} {a}";
const AMERICAN = "{N} {D}, {Y}, {h}:{mm} {a}";
const SMALL = ["am", "pm"] as const;

/** A form for several locales. Spaces separate the locales' `tags`. */
type LocaleForm = Form & { tags: string };

const LOCALE_FORMS: readonly LocaleForm[] = [
  { tags: "en en-US", pattern: AMERICAN, months: ENGLISH, halves: ["AM", "PM"] },
  { tags: "en-CA", pattern: AMERICAN, months: ENGLISH, halves: ["a.m.", "p.m."] },
  { tags: "en-GB en-IE", pattern: NAMED, months: BRITISH },
  { tags: "en-IN en-NZ", pattern: NAMED_IN_HALVES, months: BRITISH, halves: SMALL },
  { tags: "en-AU", pattern: NAMED_IN_HALVES, months: AUSTRALIAN, halves: SMALL },
  { tags: "de de-DE de-AT de-CH", pattern: "{DD}.{MM}.{Y}, {HH}:{mm}" },
  {
    tags: "fr fr-FR fr-BE fr-CH",
    pattern: NAMED,
    months: "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
  },
  {
    tags: "es es-ES",
    pattern: "{D} {N} {Y}, {H}:{mm}",
    months: "ene feb mar abr may jun jul ago sept oct nov dic",
  },
  {
    tags: "it it-IT",
    pattern: NAMED,
    months: "gen feb mar apr mag giu lug ago set ott nov dic",
  },
  {
    tags: "pt pt-BR",
    pattern: "{D} de {N} de {Y}, {HH}:{mm}",
    months: "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
  },
  { tags: "pt-PT", pattern: "{DD}/{MM}/{Y}, {HH}:{mm}" },
  { tags: "ja ja-JP", pattern: "{Y}/{MM}/{DD} {H}:{mm}" },
  { tags: "zh zh-CN", pattern: "{Y}年{M}月{D}日 {HH}:{mm}" },
  { tags: "ko ko-KR", pattern: "{Y}. {M}. {D}. {a} {h}:{mm}", halves: ["오전", "오후"] },
  {
    tags: "ru ru-RU",
    pattern: "{D} {N} {Y} г., {HH}:{mm}",
    months: "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.",
  },
  {
    tags: "uk-UA",
    pattern: "{D} {N} {Y} р., {HH}:{mm}",
    months: "січ. лют. бер. квіт. трав. черв. лип. серп. вер. жовт. лист. груд.",
  },
  {
    tags: "nl nl-NL nl-BE",
    pattern: NAMED,
    months: "jan feb mrt apr mei jun jul aug sep okt nov dec",
  },
  {
    tags: "pl pl-PL",
    pattern: NAMED,
    months: "sty lut mar kwi maj cze lip sie wrz paź lis gru",
  },
  {
    tags: "sv sv-SE",
    pattern: "{D} {N} {Y} {HH}:{mm}",
    months: "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
  },
  {
    tags: "da-DK",
    pattern: "{D}. {N} {Y}, {HH}.{mm}",
    months: "jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.",
  },
  {
    tags: "nb-NO",
    pattern: "{D}. {N} {Y}, {HH}:{mm}",
    months: "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
  },
  { tags: "fi-FI", pattern: "{D}.{M}.{Y} klo {H}.{mm}" },
  { tags: "cs-CZ", pattern: "{D}. {M}. {Y} {H}:{mm}" },
  {
    tags: "tr-TR",
    pattern: "{D} {N} {Y} {HH}:{mm}",
    months: "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
  },
];

const FORMS: ReadonlyMap<string, Form> = new Map(
  LOCALE_FORMS.flatMap((form) => form.tags.split(" ").map((tag) => [tag, form])),
);

/** The locales that are formatted without `Intl`. */
export const WRITTEN_LOCALES: readonly string[] = [...FORMS.keys()];

/** The years that are formatted here. `Intl` formats other years, because of calendars and eras. */
const [FIRST_YEAR, LAST_YEAR] = [1900, 2999];

/**
 * Returns a time as `Intl.DateTimeFormat` writes it with a medium date and a short time. Undefined
 * if the locale or the year needs `Intl`.
 */
export function localeMinute(locale: string, time: Date): string | undefined {
  const form = FORMS.get(locale);
  const year = time.getFullYear();
  if (form === undefined || !(year >= FIRST_YEAR && year <= LAST_YEAR)) return undefined;
  const { parts, months } = form.read ??= readForm(form);
  let text = "";
  for (const [index, part] of parts.entries()) {
    text += index % 2 === 0 ? part : fieldText(form, part, time, months);
  }
  return text;
}

/** Splits the pattern into alternating texts and fields. Runs once per form. */
function readForm({ pattern, months = "" }: Form): ReadForm {
  return { parts: pattern.split(/[{}]/), months: months.split(" ") };
}

function fieldText(
  { halves }: Form,
  field: string,
  time: Date,
  months: readonly string[],
): string {
  const hour = time.getHours();
  switch (field) {
    case "D":
    case "DD":
      return digits(time.getDate(), field);
    case "M":
    case "MM":
      return digits(time.getMonth() + 1, field);
    case "N":
      return months[time.getMonth()] ?? "";
    case "Y":
      return String(time.getFullYear());
    case "H":
    case "HH":
      return digits(hour, field);
    case "h":
      return String(hour % 12 || 12);
    case "mm":
      return digits(time.getMinutes(), field);
    default:
      return halves?.[hour < 12 ? 0 : 1] ?? "";
  }
}

function digits(value: number, field: string): string {
  return String(value).padStart(field.length, "0");
}

/**
 * Returns a formatter for times in the reader's locale and time zone. Without a locale, it writes
 * `2026-11-21 20:21`. It loads the slow `Intl` only if {@linkcode localeMinute} fails.
 */
export function localTime(locale: string | undefined): (iso: string) => string {
  if (locale === undefined) return (iso) => localMinute(new Date(iso));
  let format: Intl.DateTimeFormat | undefined;
  return (iso) => {
    const time = new Date(iso);
    return localeMinute(locale, time) ?? (format ??= localeFormat(locale)).format(time);
  };
}

function localeFormat(locale: string): Intl.DateTimeFormat {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    // RangeError: no language has this name.
    return new Intl.DateTimeFormat(undefined, options);
  }
}

/** Returns the local day and time, such as `2026-11-21 20:21`. Empty for an invalid time. */
export function localMinute(time: Date): string {
  if (Number.isNaN(time.getTime())) return "";
  const [hour, minute] = [time.getHours(), time.getMinutes()];
  return `${localDay(time)} ${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** Returns the local day, `2026-11-21`. */
export function localDay(time: Date): string {
  const [year, month, day] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Returns the canonical name of a time zone. `undefined` if there is no such zone. */
export function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // RangeError: no zone has this name.
    return undefined;
  }
}

/** Returns a function that formats a time's day in `zone`. The default is the reader's zone. */
export function dayIn(zone: string | undefined): (milliseconds: number) => string {
  if (zone === undefined) return (milliseconds) => localDay(new Date(milliseconds));
  // Canada writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (milliseconds) => format.format(milliseconds);
}
