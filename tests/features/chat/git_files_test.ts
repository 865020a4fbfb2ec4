/** A model that sets git's traps itself: each step is asked for, and nothing springs them. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Chat } from "../../../lib/features/chat/chat.ts";
import { mockModel, type MockStep } from "../../../lib/features/chat/models/mock_model.ts";
import { GIT, makeTrappedRepository, takeMarks } from "../../_support/trapped_repository.ts";
import { withScene } from "./_chatting.ts";
import { needing } from "../../_support/needing.ts";

function writes(...paths: string[]): MockStep {
  return { calls: paths.map((path) => ({ name: "write", input: { path, content: "[core]\n" } })) };
}

Deno.test("always, for files elsewhere, does not let a model write git's own", async () => {
  await withScene("openai", [], async ({ options, screen, work, directory }) => {
    Deno.mkdirSync(join(work, ".git"));
    const outside = join(directory, "outside");
    const steps = [writes(outside, `${outside}2`, ".git/config"), { text: "Done." }];
    const chat = await Chat.start({
      ...options,
      model: mockModel({ steps }),
      permit: (request, signal) => {
        screen.answer = request.scope === "write" ? "always" : "no";
        return options.permit(request, signal);
      },
    });
    await chat.submit("Go");
    await chat.close();
    assert.deepEqual(screen.permissions, [
      `writes a file outside the working directory: ${outside}`,
      "writes one of git's own files, which can make git run programs: .git/config",
    ]);
    assert.ok(existsSync(`${outside}2`) && !existsSync(join(work, ".git", "config")));
  });
});

Deno.test("always, for git's own files, holds for these and no others", async () => {
  await withScene("openai", [], async ({ options, screen, work, directory }) => {
    const outside = join(directory, "outside");
    const steps = [writes(".git/config", ".git/HEAD", outside), { text: "Done." }];
    const chat = await Chat.start({ ...options, model: mockModel({ steps }) });
    screen.answer = "always";
    await chat.submit("Go");
    await chat.close();
    assert.equal(screen.permissions.length, 2);
    assert.match(screen.permissions[1] ?? "", /outside the working directory/);
    assert.equal(Deno.readTextFileSync(join(work, ".git", "HEAD")), "[core]\n");
  });
});

Deno.test(
  needing("traps that a model sets with the user's leave are not sprung by the chat", GIT),
  async () => {
    await withScene("openai", [], async ({ options, work, directory }) => {
      const marks = join(directory, "marks");
      makeTrappedRepository(work, marks);
      const path = join(work, ".git", "config");
      const content = Deno.readTextFileSync(path);
      Deno.writeTextFileSync(path, "[core]\n\trepositoryformatversion = 0\n");
      takeMarks(marks);
      const steps = [
        { calls: [{ name: "write", input: { path: ".git/config", content } }] },
        { text: "Set." },
      ];
      const chat = await Chat.start({ ...options, model: mockModel({ steps }) });
      await chat.submit("Set them");
      await chat.submit("On");
      await chat.close();
      assert.equal(Deno.readTextFileSync(path), content);
      assert.deepEqual(takeMarks(marks), []);
    });
  },
);
