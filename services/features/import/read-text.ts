// From a file's bytes to blocks of whole lines: checked to be UTF-8 text, hashed on the way.
import { isUtf8 } from "node:buffer";
import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { FileProblem } from "./file-problem.ts";

/** Some whole lines of the file, without a byte order mark; each ends with `\n`, except perhaps the last. */
export type TextBlock = { readonly text: string; readonly isLast: boolean };

const NEWLINE = 0x0a;
const MAX_LINE_BYTES = 1_000_000;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads a file in blocks of whole lines and feeds every byte to `hash`. Throws FileProblem with the line if it is
 * not UTF-8 text, and the file system's errors.
 */
export async function* readText(path: string, hash: Hash): AsyncGenerator<TextBlock> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let isFirst = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    if (!Buffer.isBuffer(chunk)) {
      throw new TypeError("A file without an encoding is read as bytes");
    }
    hash.update(chunk);
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isFirst && bytes.length >= BOM.length) {
      refuseUtf16(bytes);
      bytes = withoutBom(bytes);
      isFirst = false;
    }
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (bytes.length - end > MAX_LINE_BYTES) {
      throw new FileProblem(
        "a line of more than a million bytes. Is this a CSV file?",
        line + countLines(bytes.subarray(0, end)),
      );
    }
    if (end > 0) {
      const whole = bytes.subarray(0, end);
      yield { text: decode(whole, line), isLast: false };
      line += countLines(whole);
    }
    rest = bytes.subarray(end);
  }
  yield { text: decode(isFirst ? withoutBom(rest) : rest, line), isLast: true };
}

function withoutBom(bytes: Buffer): Buffer {
  return bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;
}

function refuseUtf16(bytes: Buffer): void {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff") {
    throw new FileProblem("This file is UTF-16. Please save it as UTF-8");
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    count += 1;
  }
  return count;
}

/** The text of whole lines; both kinds of line ends become `\n`. */
function decode(bytes: Buffer, firstLine: number): string {
  if (bytes.includes(0)) {
    throw new FileProblem(
      "a NUL character. This is not a text file, or it is UTF-16: please save it as UTF-8",
      firstLine + countLines(bytes.subarray(0, bytes.indexOf(0))),
    );
  }
  if (!isUtf8(bytes)) {
    throw new FileProblem(
      "characters that are not UTF-8. Please save the file as UTF-8",
      firstLine + wrongLineIn(bytes),
    );
  }
  return bytes.toString("utf8").replaceAll("\r\n", "\n");
}

function wrongLineIn(bytes: Buffer): number {
  let index = 0;
  for (let start = 0; start < bytes.length; index += 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (!isUtf8(bytes.subarray(start, end))) {
      return index;
    }
    start = end;
  }
  return 0;
}
