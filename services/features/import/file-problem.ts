// An error in a file as a whole: nothing of it is imported, and the message says where to look.

/** Thrown before anything is written. `line` counts from 1; null if the problem is not in one place. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly line: number | null;

  constructor(message: string, line: number | null = null) {
    super(line === null ? message : `Line ${line}: ${message}`);
    this.line = line;
  }
}
