/** Names the forms in which sessions are shared, for people. */
import type { SharedForm, SharingTerms } from "../../lib/team/team_store.ts";

/** The words of each form, in messages. */
export const FORM_WORDS: Readonly<Record<SharedForm, string>> = {
  copy: "redacted copies",
  log: "exact logs",
  sealed: "sealed logs",
};

/** Says under which terms sessions are shared. */
export function termsText({ project, form, visible }: SharingTerms): string {
  const readers = visible === "private" ? "for you alone" : "for the team";
  return `${FORM_WORDS[form]} of ${project}, ${readers}`;
}
