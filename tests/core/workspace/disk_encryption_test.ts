import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { diskEncryption } from "../../../lib/core/workspace/disk_encryption.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { onLinux } from "../../_support/tests_in.ts";

/** Files of a kernel below a folder; what begins with -> is a link. */
function lay(root: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    Deno.mkdirSync(dirname(full), { recursive: true });
    if (content.startsWith("->")) Deno.symlinkSync(join(root, content.slice(2)), full);
    else Deno.writeTextFileSync(full, content);
  }
}

const CPU = { "proc/cpuinfo": "flags\t\t: fpu vme sse\n" };
const DISK = {
  "sys/devices/nvme0n1/size": "1",
  "sys/devices/nvme0n1/nvme0n1p2/partition": "2\n",
  "sys/class/block/nvme0n1p2": "->sys/devices/nvme0n1/nvme0n1p2",
  "sys/dev/block/259:2": "->sys/devices/nvme0n1/nvme0n1p2",
};
const CRYPT = {
  "sys/devices/dm-0/dm/uuid": "CRYPT-LUKS2-0123-name\n",
  "sys/devices/dm-0/slaves/nvme0n1p2": "",
  "sys/class/block/dm-0": "->sys/devices/dm-0",
  "sys/dev/block/254:0": "->sys/devices/dm-0",
};
const LVM = {
  "sys/devices/dm-1/dm/uuid": "LVM-abc\n",
  "sys/dev/block/254:1": "->sys/devices/dm-1",
};

function mounts(...lines: string[]): Record<string, string> {
  return { "proc/self/mountinfo": [...lines, ""].join("\n") };
}

const ROOT_EXT4 = "20 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw";

async function found(
  files: Record<string, string>,
  path = "/home/me/store",
): Promise<boolean | undefined> {
  let encrypted: boolean | undefined;
  await withDirectory((root) => {
    lay(root, { ...CPU, ...files });
    encrypted = diskEncryption(path, root)?.encrypted;
  });
  return encrypted;
}

onLinux.test("a partition of a disk is not encrypted, and one under dm-crypt is", async () => {
  assert.equal(await found({ ...DISK, ...mounts(ROOT_EXT4) }), false);
  const luks = mounts("20 1 254:0 / / rw - ext4 /dev/mapper/root rw");
  assert.equal(await found({ ...DISK, ...CRYPT, ...luks }), true);
});

onLinux.test("a logical volume is what lies under it, and unknown where one part is", async () => {
  const lvm = mounts("20 1 254:1 / / rw - xfs /dev/mapper/vg-root rw");
  const over = (...names: string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [`sys/devices/dm-1/slaves/${name}`, ""]));
  const all = { ...DISK, ...CRYPT, ...LVM, ...lvm };
  assert.equal(await found({ ...all, ...over("dm-0") }), true);
  assert.equal(await found({ ...all, ...over("nvme0n1p2") }), false);
  assert.equal(await found({ ...all, ...over("dm-0", "nvme0n1p2") }), false);
  assert.equal(await found({ ...all, ...over("dm-0", "gone") }), undefined);
  assert.equal(await found(all), undefined);
});

onLinux.test("the deepest mount counts, whatever its name, and one that encrypts by itself is known", async () => {
  const store = "30 20 0:50 / /home/me/my\\040store rw - fuse.gocryptfs /home/me/enc rw";
  const files = { ...DISK, ...mounts(ROOT_EXT4, store) };
  assert.equal(await found(files, "/home/me/my store"), true);
  assert.equal(await found(files, "/home/me/my store/sessions"), true);
  assert.equal(await found(files, "/home/me/my stores"), false);
  const btrfs = mounts("20 1 0:30 /@ / rw - btrfs /dev/nvme0n1p2 rw");
  assert.equal(await found({ ...DISK, ...btrfs }), false);
});

onLinux.test("an unknown state is not told", async () => {
  const plain = { ...DISK, ...mounts(ROOT_EXT4) };
  const unknown: Record<string, Record<string, string>> = {
    "no list of mounts": DISK,
    "a virtual machine": { ...plain, "proc/cpuinfo": "flags : fpu hypervisor sse\n" },
    "a network disk": { ...DISK, ...mounts("20 1 0:40 / / rw - nfs4 host:/home rw") },
    "a container": { ...DISK, ...mounts("20 1 0:41 / / rw - overlay overlay rw") },
    "memory": { ...DISK, ...mounts("20 1 0:42 / / rw - tmpfs tmpfs rw") },
    "a device that nothing tells of": mounts(ROOT_EXT4),
    "folders that fscrypt encrypts": { ...plain, ".fscrypt/policies/a": "" },
    "a home of systemd-homed": { ...plain, "home/me/.identity": "{}" },
    "a disk of a hypervisor": {
      ...mounts("20 1 252:1 / / rw - ext4 /dev/vda rw"),
      "sys/devices/vda/size": "1",
      "sys/dev/block/252:1": "->sys/devices/vda",
    },
  };
  for (const [what, files] of Object.entries(unknown)) {
    assert.equal(await found(files), undefined, what);
  }
  assert.equal(await found(plain), false);
});
