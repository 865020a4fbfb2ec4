import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import type { LibraryPlace } from "./library_place.ts";

/** The part of a session that a reference names. */
export interface SessionPlace {
  /** The session's name in messages. @default {its id, or `<agent>:<id>`} */
  ref?: string;
  /** The event that the reference names. */
  seq?: number;
  /** The record that the reference names, whose event is not looked up yet. */
  record?: string;
  /** The thread that the reference names. It is read by default. */
  thread?: string;
  /** The machine, to tell if the session runs, and to find it again if it moves while followed. */
  place?: LibraryPlace;
  /** The catalogue that keeps counts and places of the session. @default {nothing is cached} */
  kept?: CatalogueOptions;
}
