/** Runs tasks at the end of a process, of a thread, or of a command. */
import { nodeProcess } from "./runtime.ts";

const tasks = new Set<() => void>();
let listens = false;

/** Runs a task when the program ends, unless the program is killed. */
export function atEnd(task: () => void): void {
  tasks.add(task);
  if (listens) return;
  listens = true;
  nodeProcess.on("exit", runEndTasks);
}

export function notAtEnd(task: () => void): void {
  tasks.delete(task);
}

export function runEndTasks(): void {
  for (const task of tasks) {
    tasks.delete(task);
    task();
  }
}
