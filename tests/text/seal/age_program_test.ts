/** Both ways with the program `age`: the tests are ignored where it is not installed. */
import assert from "node:assert/strict";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/keys.ts";
import { readIdentityFile, writeIdentityFile } from "../../../lib/text/seal/identity_file.ts";
import { openSealedBytes } from "../../../lib/text/seal/open_sealed.ts";
import { sealBytes } from "../../../lib/text/seal/seal.ts";
import { AGE, ageKeygen, runAge } from "../../_support/age_program.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

const withAge = testsIn(withDirectory, AGE);
const LENGTHS = [0, 1, 65_535, 65_536, 65_537, 200_000];

function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 7919) % 251);
}

withAge.test("age decrypts what is sealed here, with a key of its own and with one of ours", async (directory) => {
  const [theirs, ours] = [`${directory}/theirs`, `${directory}/ours`];
  const recipients = [
    await ageKeygen(theirs),
    await writeIdentityFile(ours, await makeIdentity(), new Date()),
  ];
  for (const length of LENGTHS) {
    const sealed = await sealBytes(bytesOf(length), { recipients });
    for (const key of [theirs, ours]) {
      assert.deepEqual(await runAge(["-d", "-i", key], sealed), bytesOf(length), `${length}`);
    }
  }
});

withAge.test("bytes that age encrypted are opened here, binary and in ASCII armor", async (directory) => {
  const path = `${directory}/key`;
  const recipient = await ageKeygen(path);
  const identities = await readIdentityFile(path);
  assert.equal(await recipientOf(identities[0] ?? ""), recipient);
  for (const length of LENGTHS) {
    for (const armor of [[], ["--armor"]]) {
      const sealed = await runAge([...armor, "-r", recipient], bytesOf(length));
      assert.deepEqual(await openSealedBytes(sealed, { identities }), bytesOf(length));
    }
  }
});

withAge.test("armor that was cut off or changed is damaged", async (directory) => {
  const path = `${directory}/key`;
  const sealed = await runAge(["-a", "-r", await ageKeygen(path)], bytesOf(1000));
  const identities = await readIdentityFile(path);
  const text = new TextDecoder().decode(sealed);
  const lines = text.split("\n");
  const wrong = [
    text.slice(0, -10),
    lines.toSpliced(3, 1).join("\n"),
    lines.toSpliced(3, 1, `${lines[3]?.slice(0, -1)}!`).join("\n"),
    lines.toSpliced(3, 1, lines[3]?.slice(4) ?? "").join("\n"),
    `${text}more`,
  ];
  for (const [index, one] of wrong.entries()) {
    const bytes = new TextEncoder().encode(one);
    await assert.rejects(
      openSealedBytes(bytes, { identities }),
      { code: "damaged" },
      `${index}`,
    );
  }
  const windows = new TextEncoder().encode(text.replaceAll("\n", "\r\n"));
  assert.deepEqual(await openSealedBytes(windows, { identities }), bytesOf(1000));
});

withAge.test("a file that age encrypted to an SSH key names the program that reads it", async (directory) => {
  const key = `${directory}/id_ed25519`;
  const made = await new Deno.Command("ssh-keygen", {
    args: ["-q", "-t", "ed25519", "-N", "", "-f", key],
  }).output();
  assert.ok(made.success);
  const sealed = await runAge(["-R", `${key}.pub`], bytesOf(10));
  const identities = [await makeIdentity()];
  await assert.rejects(openSealedBytes(sealed, { identities }), {
    code: "encrypted",
    message:
      "Cannot decrypt: the file is encrypted for SSH keys; decrypt the file with: age -d -i ~/.ssh/id_ed25519",
  });
});
