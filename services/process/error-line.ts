// How a process that fails prints its error for people.

/** The message. An error in the program, not in its use, also says how to see where it came from. */
export function errorLine(error: unknown): string {
  if (!(error instanceof Error)) {
    return "unknown error\n";
  }
  const isOurs = [error, error.cause].some(
    (one) => one instanceof TypeError || one instanceof RangeError,
  );
  return `${error.message}\n${isOurs ? "LOG_LEVEL=debug shows where.\n" : ""}`;
}
