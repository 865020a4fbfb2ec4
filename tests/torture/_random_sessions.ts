/**
 * A child process that writes, compacts, truncates and deletes sessions at random for some seconds, and
 * notes each state that stood for two seconds.
 *
 * `_random_sessions.ts HOME COUNT SECONDS SEED NOTES`
 */
import { crc32 } from "node:zlib";
import { dirname, join } from "node:path";
import { mulberry32 } from "../_support/mulberry32.ts";

const [home = "", count = "", seconds = "", seed = "", notes = ""] = Deno.args;
const random = mulberry32(Number(seed));
const below = (limit: number): number => Math.floor(random() * limit);
/** A watch has two seconds; what stood for so long may be lost by no means. */
const STOOD_MS = 2000;

interface Session {
  id: string;
  path: string;
  bytes: Uint8Array;
  since: number;
}

const encoder = new TextEncoder();

function line(): Uint8Array {
  return encoder.encode(
    `{"type":"user","uuid":"${below(1e9)}","text":"${"x".repeat(below(2000))}"}\n`,
  );
}

const sessions: Session[] = Array.from({ length: Number(count) }, (_, index) => {
  const id = `${seed}-${String(index).padStart(6, "0")}`;
  const path = join(home, `.claude/projects/-work-${index % 40}`, `${id}.jsonl`);
  Deno.mkdirSync(dirname(path), { recursive: true });
  return { id, path, bytes: new Uint8Array(), since: 0 };
});

const noted: string[] = [];

/** Notes the state that ends now, if it stood long enough. */
function note({ id, bytes, since }: Session, now: number): void {
  if (bytes.length === 0 || now - since < STOOD_MS) return;
  const times = { since: Date.now() - (now - since), until: Date.now() };
  noted.push(JSON.stringify({ id, bytes: bytes.length, crc: crc32(bytes), ...times }));
}

function change(session: Session): void {
  const { path, bytes } = session;
  const what = below(20);
  note(session, performance.now());
  let next = bytes;
  if (what < 12 || bytes.length === 0) {
    const added = line();
    next = new Uint8Array(bytes.length + added.length);
    next.set(bytes);
    next.set(added, bytes.length);
    Deno.writeFileSync(path, added, { append: true });
  } else if (what < 14) {
    // Cut by a resume.
    next = bytes.slice(0, below(bytes.length));
    Deno.truncateSync(path, next.length);
  } else if (what < 16) {
    // Compacted: written anew, in place.
    next = new Uint8Array([...line(), ...bytes.slice(-below(500))]);
    Deno.writeFileSync(path, next);
  } else if (what < 18) {
    // Rewritten, and put in its place.
    next = new Uint8Array([...bytes, ...line()]);
    next[below(next.length)] = 0x20;
    Deno.writeFileSync(`${path}.tmp`, next);
    Deno.renameSync(`${path}.tmp`, path);
  } else {
    Deno.removeSync(path);
    next = new Uint8Array();
  }
  session.bytes = next;
  session.since = performance.now();
}

const end = performance.now() + Number(seconds) * 1000;
while (performance.now() < end) {
  for (let index = 0; index < 5; index++) {
    const session = sessions[below(sessions.length)];
    if (session !== undefined) change(session);
  }
  await new Promise((resolve) => setTimeout(resolve, 40));
}
await new Promise((resolve) => setTimeout(resolve, STOOD_MS + 500));
for (const session of sessions) note(session, performance.now());
Deno.writeTextFileSync(notes, noted.map((one) => `${one}\n`).join(""));
