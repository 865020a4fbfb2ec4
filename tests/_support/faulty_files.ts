/**
 * The system's calls on files, one of which fails. They are replaced at the edge of the platform, so
 * that each call of a command can fail in turn without a process each.
 */

/** A call on a file. */
export interface FileCall {
  /** As Deno names it: `statSync`, `file.readSync`. */
  name: string;
  path: string;
}

/** Functions of `Deno` whose first argument is a path. */
const BY_PATH = [
  ...["open", "stat", "lstat", "readFile", "readTextFile", "writeFile", "writeTextFile", "mkdir"],
  ...["remove", "rename", "chmod", "realPath", "copyFile", "readLink", "link", "symlink", "utime"],
].flatMap((name) => [name, `${name}Sync`]);
/** These give their first entry later, so they fail when they are called or when they are read. */
const FOLDERS = ["readDir", "readDirSync"];
/** Methods of an open file. */
const BY_FILE = [
  ...["read", "write", "stat", "seek", "syncData", "sync", "truncate", "lock", "tryLock"],
].flatMap((name) => [name, `${name}Sync`]);

type Callable = (this: unknown, ...args: unknown[]) => unknown;

/** What the system says, in Deno's words. */
export function systemError(code: "EIO" | "ENOLCK"): Error {
  // Deno has no code for a lock that cannot be had.
  if (code === "ENOLCK") return new Error("No locks available (os error 37)");
  return Object.assign(new Error("Input/output error (os error 5)"), { code });
}

/** While it lives, calls on files below a folder are counted, and one of them fails. */
export class FaultyFiles implements Disposable {
  readonly calls: FileCall[] = [];
  readonly #under: string;
  readonly #at: number;
  readonly #before: (call: FileCall) => void;
  readonly #paths = new WeakMap<object, string>();
  readonly #undo: (() => void)[] = [];

  /**
   * @param under The folder.
   * @param at The number of the call that fails, from 1; 0 for none.
   * @param before Runs before each call.
   */
  constructor(under: string, at = 0, before: (call: FileCall) => void = () => {}) {
    this.#under = under;
    this.#at = at;
    this.#before = before;
    for (const name of BY_PATH) this.#replacePathCall(name);
    for (const name of FOLDERS) this.#replaceFolderCall(name);
    for (const name of BY_FILE) this.#replaceFileCall(name);
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo) undo();
  }

  /** Counts a call that a test makes for the system, such as a write to a terminal. */
  count(name: string, path: string): void {
    this.#before({ name, path });
    this.calls.push({ name, path });
    if (this.calls.length === this.#at) throw systemError(/lock/i.test(name) ? "ENOLCK" : "EIO");
  }

  /** The call that failed. */
  get failed(): FileCall | undefined {
    return this.calls[this.#at - 1];
  }

  #countPath(name: string, path: unknown): void {
    const text = path instanceof URL ? decodeURIComponent(path.pathname) : String(path);
    if (text.startsWith(this.#under)) this.count(name, text);
  }

  #replace(on: object, name: string, by: (original: Callable) => Callable): void {
    const holder = on as Record<string, Callable>;
    const original = holder[name];
    if (original === undefined) return;
    holder[name] = by(original);
    this.#undo.push(() => void (holder[name] = original));
  }

  #replacePathCall(name: string): void {
    this.#replace(Deno, name, (original) => {
      const faulty = (...args: unknown[]): unknown => {
        const note = (file: unknown): unknown => {
          if (file instanceof Deno.FsFile) this.#paths.set(file, String(args[0]));
          return file;
        };
        if (name.endsWith("Sync")) {
          this.#countPath(name, args[0]);
          return note(original.apply(Deno, args));
        }
        return (async () => {
          this.#countPath(name, args[0]);
          return note(await original.apply(Deno, args));
        })();
      };
      return faulty;
    });
  }

  #replaceFolderCall(name: string): void {
    this.#replace(Deno, name, (original) => (...args) => {
      this.#countPath(name, args[0]);
      return original.apply(Deno, args);
    });
  }

  #replaceFileCall(name: string): void {
    const paths = this.#paths;
    const count = (file: unknown): void => {
      const path = paths.get(file as object);
      if (path !== undefined) this.#countPath(`file.${name}`, path);
    };
    this.#replace(
      Deno.FsFile.prototype,
      name,
      (original) =>
        name.endsWith("Sync")
          ? function (...args): unknown {
            count(this);
            return original.apply(this, args);
          }
          : async function (...args): Promise<unknown> {
            await Promise.resolve();
            count(this);
            return await original.apply(this, args);
          },
    );
  }
}
