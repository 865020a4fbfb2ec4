/**
 * Tells if Linux encrypts the disk under a path, from the kernel's files in `/proc` and `/sys`.
 * Encryption by a drive itself, or by a virtual machine's host, cannot be seen.
 */
import { dirname, join, relative } from "node:path";
import { RECORDS_BYTES, shortTextIn } from "../file/short_file.ts";
import { readDirSync, realPathSync } from "../platform/files.ts";
import { operatingSystem } from "../platform/runtime.ts";

export interface DiskEncryption {
  /** True if Linux encrypts data before it writes them to the disk. */
  encrypted: boolean;
  source: string;
  file_system: string;
}

/** A line of `/proc/self/mountinfo`. `device` is `MAJOR:MINOR`. */
interface Mount {
  device: string;
  point: string;
  file_system: string;
  source: string;
}

const ENCRYPTING = /^(?:ecryptfs|fuse\.(?:gocryptfs|encfs|cryfs|securefs))$/;
/** File systems that write to a local disk without encrypting. */
const PLAIN: ReadonlySet<string> = new Set(["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs"]);
/** File systems that can encrypt single folders. */
const BY_FOLDER: ReadonlySet<string> = new Set(["ext4", "f2fs"]);
/** Names that folder encryption leaves on disk. They do not tell which folders are encrypted. */
const FOLDER_TRACES = [".fscrypt", ".identity"];
const PHYSICAL = /^(?:sd[a-z]+|hd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/;

function read(path: string): string | undefined {
  return shortTextIn(path, RECORDS_BYTES);
}

function namesIn(path: string): string[] {
  try {
    return [...readDirSync(path)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));
}

function toMount(line: string): Mount {
  const [own = "", other = ""] = line.split(" - ");
  const [, , device = "", , point = ""] = own.split(" ");
  const [file_system = "", source = ""] = other.split(" ");
  return { device, point: unescaped(point), file_system, source: unescaped(source) };
}

/** Returns the deepest mount above a path. Of several mounts at one point, the last one counts. */
function mountOf(path: string, list: string): Mount | undefined {
  let found: Mount | undefined;
  for (const line of list.split("\n")) {
    const mount = toMount(line);
    const inside = mount.point !== "" && !relative(mount.point, path).startsWith("..");
    if (inside && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  }
  return found;
}

/** True if this may be a virtual machine, whose host may encrypt the disks. */
function isVirtual(root: string): boolean {
  return /^flags\s*:.*\bhypervisor\b/m.test(read(join(root, "proc/cpuinfo")) ?? "hypervisor");
}

/** True if a block device, or every device below it, is encrypted; undefined if unknown. */
function isEncrypted(root: string, directory: string): boolean | undefined {
  const uuid = read(join(directory, "dm/uuid"));
  if (uuid?.startsWith("CRYPT-")) return true;
  if (read(join(directory, "partition")) !== undefined) {
    return isEncrypted(root, dirname(directory));
  }
  const below = namesIn(join(directory, "slaves"));
  if (below.length === 0) {
    return uuid === undefined && PHYSICAL.test(directory.split("/").at(-1) ?? "")
      ? false
      : undefined;
  }
  const known = below.map((name) => {
    const one = blockDevice(root, `sys/class/block/${name}`);
    return one === undefined ? undefined : isEncrypted(root, one);
  });
  if (known.includes(false)) return false;
  return known.includes(undefined) ? undefined : true;
}

function blockDevice(root: string, path: string): string | undefined {
  try {
    return realPathSync(join(root, path));
  } catch {
    // No such device.
    return undefined;
  }
}

function mayBeByFolder(path: string, { point, file_system }: Mount, root: string): boolean {
  if (!BY_FOLDER.has(file_system)) return false;
  for (let folder = path;; folder = dirname(folder)) {
    const names = namesIn(join(root, folder));
    if (FOLDER_TRACES.some((trace) => names.includes(trace))) return true;
    if (folder === point || folder === dirname(folder)) return false;
  }
}

/**
 * Tells if the disk under a path is encrypted. Undefined if that is unknown: outside Linux, in
 * virtual machines, and on network disks. Also undefined where folders can be encrypted separately.
 *
 * @param path The real path of a folder.
 * @param root Where the kernel's files lie, for tests.
 */
export function diskEncryption(path: string, root = "/"): DiskEncryption | undefined {
  if (operatingSystem !== "linux") return undefined;
  const list = read(join(root, "proc/self/mountinfo"));
  const mount = list === undefined ? undefined : mountOf(path, list);
  if (mount === undefined) return undefined;
  const { file_system, source, device } = mount;
  if (ENCRYPTING.test(file_system)) return { encrypted: true, source, file_system };
  if (!PLAIN.has(file_system) || isVirtual(root)) return undefined;
  // File systems of several disks have a number of their own.
  const directory = blockDevice(root, `sys/dev/block/${device}`) ??
    blockDevice(root, `sys/class/block/${source.split("/").at(-1)}`);
  const encrypted = directory === undefined ? undefined : isEncrypted(root, directory);
  if (encrypted === undefined) return undefined;
  if (!encrypted && mayBeByFolder(path, mount, root)) return undefined;
  return { encrypted, source, file_system };
}
