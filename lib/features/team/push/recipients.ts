/** Chooses for whom sessions are sealed: named recipients, or the identities of this machine. */
import { SessionError } from "../../../core/event/session_error.ts";
import { recipientOf } from "../../../text/seal/keys.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import type { SyncSettings } from "../shared_project.ts";

export interface RecipientMeans {
  /** Secret keys that open sealed sessions, or a function that finds the keys. */
  identities: readonly string[] | (() => Promise<readonly string[]>);
  settings: Pick<SyncSettings, "lost_recipients">;
}

/**
 * Returns a sealed session with its recipients; another one as it is.
 *
 * @throws {SessionError} `encrypted` where no key of this machine opens it, or a removed machine has
 * that key.
 */
export async function withRecipients(
  share: SessionToShare,
  { identities, settings: { lost_recipients = [] } }: RecipientMeans,
): Promise<SessionToShare> {
  if (share.form !== "sealed") return share;
  const { project } = share;
  const keys = typeof identities === "function" ? await identities() : identities;
  const own = await Promise.all(keys.map(recipientOf));
  const recipients = (project.recipients ?? own).filter((one) => !lost_recipients.includes(one));
  // A machine without a key may seal for recipients that the user named.
  const is_named = own.length === 0 && recipients.length > 0;
  if (is_named || recipients.some((one) => own.includes(one))) {
    return { ...share, project: { ...project, recipients } };
  }
  const reason = own.length === 0
    ? "this machine has no private key. Set REPRISE_IDENTITY to the path of your private key"
    : own.some((one) => lost_recipients.includes(one))
    ? "a removed machine has the private key of this one, too. Make a new key with reprise key " +
      "new --out FILE, append the old key to it, and set REPRISE_IDENTITY=FILE on your machines"
    : "no key on this machine could decrypt the sessions. To name your key, remove the project, then add " +
      "it again: reprise sync add --sealed";
  throw new SessionError("encrypted", `Cannot encrypt sessions of ${project.project}: ${reason}`);
}
