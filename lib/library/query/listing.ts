/** Opens the catalogue, marks and locks that finding sessions and their rows needs. */
import type { SessionError } from "../../core/event/session_error.ts";
import type { Marks } from "../../core/store/marks.ts";
import type { RowSource } from "./candidate.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { marksIn } from "../catalogue/library_place.ts";
import { LiveSessions } from "../handle/live_sessions.ts";

export interface Listing {
  source: RowSource;
  catalogue: Catalogue;
  marks: Marks;
  live: LiveSessions;
  onError: (error: SessionError) => void;
}

/** Runs a function with an open catalogue, then closes the catalogue without saving it. */
export async function withListing<Result>(
  source: RowSource,
  onError: (error: SessionError) => void,
  use: (listing: Listing) => Promise<Result>,
): Promise<Result> {
  const { place, kept } = source;
  const marks = marksIn(place.root, onError);
  using catalogue = new Catalogue(kept);
  return await use({ source, catalogue, marks, live: new LiveSessions(place), onError });
}
