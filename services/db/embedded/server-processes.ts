// The processes of an embedded server by what PostgreSQL calls them, for what its roles cannot see and while nobody can connect.
import { readFileSync } from "node:fs";

/** Those whose title begins so; none where the system does not list them. */
export function serverProcesses(postmasterPid: number, title: string): readonly number[] {
  const listed = textOf(`/proc/${postmasterPid}/task/${postmasterPid}/children`).trim();
  const children = listed === "" ? [] : listed.split(" ").map(Number);
  return children.filter((pid) => textOf(`/proc/${pid}/cmdline`).startsWith(title));
}

/** The fields of /proc/<pid>/stat from the state on: those behind the program's name, which may contain anything. */
export function processFields(pid: number): readonly string[] {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The file's text; none if the process has ended, or the system has no such files. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
