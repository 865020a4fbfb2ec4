import assert from "node:assert/strict";
import {
  checkRecipients,
  makeIdentity,
  parseIdentities,
  recipientOf,
} from "../../../lib/text/seal/keys.ts";
import { readIdentityFile, writeIdentityFile } from "../../../lib/text/seal/identity_file.ts";
import { openSealedBytes } from "../../../lib/text/seal/open_sealed.ts";
import { sealBytes, sealTo } from "../../../lib/text/seal/seal.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";
import { UNIX } from "../../_support/needing.ts";

const identity = await makeIdentity();
const recipient = await recipientOf(identity);
const onUnix = testsIn(withDirectory, UNIX);
const AT = new Date("2026-11-23T10:00:00Z");

Deno.test("each bad recipient is named with what is wrong with it, and no secret is", async () => {
  const mistyped = recipient.slice(0, -1) + (recipient.endsWith("q") ? "p" : "q");
  const wrong = {
    "": "a recipient (public key) is empty",
    "alice@example.com":
      "this is not a recipient (a public key that begins with age1): alice@example.com",
    [mistyped]:
      "a character of this recipient (public key) is wrong or missing; copy the key again: age1",
    [recipient.slice(0, -3)]: "a character of this recipient (public key) is wrong or missing",
    [recipient.toUpperCase()]: "a recipient (public key) must be in lower case",
    [identity]:
      "this is a private key; give the public key (recipient) instead. To print the public key: reprise key show FILE",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me":
      "for SSH keys, use the age program: reprise export REF --format jsonl --out - | age -R ~/.ssh/",
    "github:alice": "for SSH keys, use the age program: reprise export REF",
    "age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t":
      "the recipient age1yubikey1qwt50d05nh5v… needs an age plugin, so encrypt with the age program: reprise export REF",
  };
  for (const [text, reason] of Object.entries(wrong)) {
    await assert.rejects(checkRecipients([recipient, text]), (error: Error & { code: string }) => {
      assert.equal(error.code, "invalid-key");
      assert.ok(error.message.startsWith(`Cannot encrypt: ${reason}`), error.message);
      assert.ok(!error.message.includes("AGE-SECRET-KEY-1"), error.message);
      return true;
    });
  }
});

Deno.test("sealing needs a recipient, or a passphrase that is not empty", async () => {
  await assert.rejects(sealTo({ recipients: [] }), { code: "invalid-key" });
  await assert.rejects(sealBytes(new Uint8Array(1), { passphrase: "" }), { code: "invalid-key" });
});

Deno.test("identities are read as age-keygen writes them", async () => {
  const other = await makeIdentity({ post_quantum: true });
  const text = `# created: now\r\n# public key: ${recipient}\r\n${identity}\r\n\n${other}`;
  assert.deepEqual(await parseIdentities(text), [identity, other]);
  assert.match(await recipientOf(other), /^age1pq1.{1952}$/);
});

Deno.test("a text that is no identity is explained, and not repeated", async () => {
  const changed = identity.slice(0, -1) + (identity.endsWith("Q") ? "P" : "Q");
  const wrong: Record<string, RegExp> = {
    "": /no line begins with AGE-SECRET-KEY-, as a private key does/,
    "# a comment\n": /no line begins/,
    [`${identity}\nsecret words`]: /no line begins/,
    [changed]: /a character of the key is wrong or missing; copy the key again/,
    [recipient]:
      /this is a public key \(recipient\); an identity \(private key\) begins with AGE-SECRET-KEY-/,
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl":
      /the file is an SSH key; decrypt with the age program: age -d/,
    "AGE-PLUGIN-YUBIKEY-1QQQ": /the identity needs an age plugin/,
  };
  for (const [text, reason] of Object.entries(wrong)) {
    await assert.rejects(parseIdentities(text), (error: Error & { code: string }) => {
      assert.equal(error.code, "invalid-key");
      assert.match(error.message, reason);
      assert.ok(!/secret words|b3Bl|KEY-1[A-Z0-9]{9}/.test(error.message), error.message);
      return true;
    });
  }
  await assert.rejects(
    openSealedBytes(await sealBytes(new Uint8Array(1), { passphrase: "a", work_factor: 2 }), {
      identities: [changed],
    }),
    { code: "invalid-key" },
  );
});

inDirectory.test("a file of an identity is its owner's alone, and made once", async (directory) => {
  const path = `${directory}/key.txt`;
  assert.equal(await writeIdentityFile(path, identity, AT), recipient);
  assert.equal(
    Deno.readTextFileSync(path),
    `# created: 2026-11-23T10:00:00.000Z\n# public key: ${recipient}\n${identity}\n`,
  );
  assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assert.deepEqual(await readIdentityFile(path), [identity]);
  await assert.rejects(writeIdentityFile(path, await makeIdentity(), AT), {
    code: "io",
    message: `Cannot write identity (private key): a file with this name already exists: ${path}`,
  });
  assert.deepEqual(await readIdentityFile(path), [identity]);
  await assert.rejects(writeIdentityFile(`${directory}/none/key`, identity, AT), {
    code: "not-found",
  });
});

onUnix.test("a file of an identity that others can read is refused", async (directory) => {
  const path = `${directory}/key.txt`;
  await writeIdentityFile(path, identity, AT);
  for (const mode of [0o640, 0o604, 0o644, 0o660]) {
    Deno.chmodSync(path, mode);
    await assert.rejects(readIdentityFile(path), {
      code: "invalid-key",
      message:
        `Cannot use identity: other users can read the file; make it private: chmod 600: ${path}`,
    });
  }
  Deno.chmodSync(path, 0o400);
  assert.deepEqual(await readIdentityFile(path), [identity]);
});

inDirectory.test("a folder, a long file and a sealed one are refused as a file of identities", async (directory) => {
  const path = `${directory}/key`;
  await assert.rejects(readIdentityFile(path), { code: "not-found" });
  await assert.rejects(readIdentityFile(directory), { code: "invalid-key" });
  Deno.writeTextFileSync(path, "#".repeat(70_000), { mode: 0o600 });
  await assert.rejects(readIdentityFile(path), { code: "unsupported-source" });
  const sealed = await sealBytes(new TextEncoder().encode(identity), { recipients: [recipient] });
  Deno.writeFileSync(path, sealed, { mode: 0o600 });
  await assert.rejects(readIdentityFile(path), {
    code: "invalid-key",
    message: /decrypt it first/,
  });
});
