/** Converts failures of an S3 server, or of the connection to it, to messages of one line. Pure. */
import { SessionError, type SessionErrorCode } from "../../../core/event/session_error.ts";
import type { S3Place } from "./s3_place.ts";

type Told = [code: SessionErrorCode, text: string];

interface FailedAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** Matches the error code in an answer. Messages quote nothing else of the server's text. */
const CODE = /<Code>([A-Za-z0-9]{1,64})<\/Code>/;
const REGION = /^[a-z0-9-]{1,64}$/;

function codeIn({ bytes }: FailedAnswer): string | undefined {
  return CODE.exec(new TextDecoder().decode(bytes))?.[1];
}

export function lacksBucket(answer: FailedAnswer): boolean {
  return codeIn(answer) === "NoSuchBucket";
}

export function answerError(act: string, answer: FailedAnswer, place: S3Place): SessionError {
  const told = codeIn(answer) ?? `status ${answer.status}`;
  const [code, text] = reasonOf(answer, told, place);
  return new SessionError(code, `Cannot ${act}: ${text}`);
}

function reasonOf({ status, headers }: FailedAnswer, told: string, place: S3Place): Told {
  const { bucket, host } = place;
  const region = headers.get("x-amz-bucket-region") ?? "";
  if ((status === 301 || status === 307 || status === 400) && REGION.test(region)) {
    return [
      "invalid-config",
      `bucket ${bucket} is in another region; add region=${region} to the address`,
    ];
  }
  if (status >= 300 && status < 400) {
    return [
      "io",
      `${host} redirects to another server, and Reprise does not send credentials to that ` +
      "server; use that server's address instead",
    ];
  }
  switch (told) {
    case "NoSuchBucket":
      return ["not-found", `${host} has no bucket ${bucket}; create the bucket first`];
    case "RequestTimeTooSkewed":
      return [
        "permission",
        `${host} refused the request because this machine's clock is wrong; set the clock`,
      ];
    case "ExpiredToken":
      return ["permission", `${host} denied access: the temporary keys have expired; log in again`];
    case "QuotaExceeded":
    case "XMinioStorageFull":
      return ["disk-full", `${host} is full; sessions that are already pushed are safe`];
    case "EntityTooLarge":
      return ["too-large", `${host} refused the request: ${told}`];
  }
  if (status === 507) return ["disk-full", `${host} is full`];
  if (status === 401 || status === 403) {
    const advice =
      "check the access keys, and their permissions to list, read, write and delete in the bucket";
    return ["permission", `${host} denied access to bucket ${bucket}: ${told}; ${advice}`];
  }
  if (status === 429 || status >= 500) return ["unreachable", `${host} is not available: ${told}`];
  return ["io", `${host} answers: ${told}`];
}

export function noConnection(
  act: string,
  error: unknown,
  { host }: S3Place,
  timed_out: boolean,
): SessionError {
  const text = timed_out ? "the server does not answer in time" : lastReason(error);
  const message = `Cannot ${act}: ${host} cannot be reached: ${text}`;
  return new SessionError("unreachable", message, {}, error);
}

/** Returns the innermost cause's message. Outer messages say only that a request failed. */
function lastReason(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof Error) return lastReason(cause);
  return message?.split(": ").at(-1)?.replaceAll(/\s+/g, " ").trim() || "the connection broke";
}
