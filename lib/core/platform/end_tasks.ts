/** Work that is left for the end of a process, of a thread, or of a command. */
import { nodeProcess } from "./runtime.ts";

const tasks = new Set<() => void>();
let listens = false;

/** Runs a task when the program ends. A kill leaves it undone. */
export function atEnd(task: () => void): void {
  tasks.add(task);
  if (listens) return;
  listens = true;
  nodeProcess.on("exit", runEndTasks);
}

/** Removes a task from those to run at the end. */
export function notAtEnd(task: () => void): void {
  tasks.delete(task);
}

/** Runs the tasks that wait, each once. */
export function runEndTasks(): void {
  for (const task of tasks) {
    tasks.delete(task);
    task();
  }
}
