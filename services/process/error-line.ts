// What a process that fails prints of an error, where a person reads it.

/** The message. An error of the program itself, not of its use, also says how to see where it came from. */
export function errorLine(error: unknown): string {
  if (!(error instanceof Error)) {
    return "unknown error\n";
  }
  const isOurs = [error, error.cause].some(
    (one) => one instanceof TypeError || one instanceof RangeError,
  );
  return `${error.message}\n${isOurs ? "LOG_LEVEL=debug shows where.\n" : ""}`;
}
