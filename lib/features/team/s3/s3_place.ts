/** Checks the address of a bucket. Pure. */
import { SessionError } from "../../../core/event/session_error.ts";

export interface S3Place {
  /** The address of the bucket's root, with a slash at its end. */
  root: string;
  bucket: string;
  /** The prefix of all keys: empty, or ending with a slash. */
  prefix: string;
  region: string;
  /** Host and port of the server, for use in messages. */
  host: string;
}

interface S3PlaceOptions {
  /** The region, if the address names none. @default {"us-east-1"} */
  usual?: string | undefined;
  /** Allows an endpoint on another machine without TLS. @default {false} */
  insecure?: boolean;
}

const ADVICE =
  "give s3://BUCKET/PREFIX?region=REGION, and &endpoint=URL for a server other than AWS";
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** The parameters that an address may have. The store uses `user` as the member's name. */
const PARAMETERS: ReadonlySet<string> = new Set(["endpoint", "region", "user"]);
const REGION = /^[a-z0-9-]{1,64}$/;
const SEGMENT = /^[\w!'()*. -]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function refused(reason: string): SessionError {
  // The address itself stays out of the message: it may hold a secret.
  const message = `Cannot use this store's address: ${reason}; ${ADVICE}`;
  return new SessionError("invalid-config", message);
}

/**
 * Parses the address of a bucket.
 *
 * @param text `s3://BUCKET[/PREFIX][?region=NAME][&endpoint=URL]`. With an endpoint, the bucket's
 * name is in the path.
 * @throws {SessionError} `invalid-config` that does not repeat the text.
 */
export function s3Place(
  text: string,
  { usual = "us-east-1", insecure = false }: S3PlaceOptions = {},
): S3Place {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:") throw refused("the address does not begin with s3://");
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw refused("the address must not contain access keys");
  }
  const bucket = url.host;
  if (!BUCKET.test(bucket)) throw refused("the address has no valid bucket name");
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name)) throw refused("the address has an unknown parameter");
  }
  const segments = decodedSegments(url.pathname);
  if (!segments.every((segment) => SEGMENT.test(segment))) {
    throw refused("the folder in s3://BUCKET/FOLDER may have only letters, digits and -_.!'()*");
  }
  const region = url.searchParams.get("region") ?? usual;
  if (!REGION.test(region)) {
    throw refused("the region of the bucket must be a name such as eu-central-1");
  }
  const endpoint = endpointOf(url.searchParams.get("endpoint"), insecure);
  // The certificate of AWS does not cover a bucket with a dot as a name of a host.
  const by_host = endpoint === undefined && !bucket.includes(".");
  const aws = `s3.${region}.amazonaws.com`;
  const root = by_host ? `https://${bucket}.${aws}/` : `${endpoint ?? `https://${aws}`}/${bucket}/`;
  return {
    root,
    bucket,
    prefix: segments.map((segment) => `${segment}/`).join(""),
    region,
    host: new URL(root).host,
  };
}

function decodedSegments(path: string): string[] {
  try {
    return path.split("/").filter((segment) => segment !== "").map(decodeURIComponent);
  } catch {
    throw refused(
      "the folder in s3://BUCKET/FOLDER has a percent sign (%) that does not begin a code such as %2D",
    );
  }
}

function endpointOf(text: string | null, insecure: boolean): string | undefined {
  if (text === null) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw refused("the address of the server (endpoint) does not begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refused("the address must not contain access keys");
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname) && !insecure) {
    throw refused(
      `${url.host} is another machine, and http sends everything unencrypted; use https, or add --insecure`,
    );
  }
  return url.href.replace(/\/+$/, "");
}
