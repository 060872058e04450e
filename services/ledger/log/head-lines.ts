// The lines of a file of published heads: how one is written, and how a file of any size and condition is read.
import type { FileHandle } from "node:fs/promises";
import type { PublishedHead } from "#ledger/verify/chain.ts";

/**
 * One line of a file. `torn`: the beginning of a head, left by a full disk or a power cut, alone or joined with the
 * head written next. `unfinished`: such a beginning at the end of the file, after a kill or while it is being
 * written. `garbage`: anything that no writer of heads leaves behind.
 */
export type HeadLine = { readonly line: number; readonly text: string } & (
  | ({ readonly kind: "head" } & PublishedHead & {
        /** When it was published, ISO 8601; null where the line does not say. */
        readonly at: string | null;
      })
  | { readonly kind: "torn" | "unfinished" | "garbage" }
);

const WHOLE = /^(\d{1,15}):([0-9a-f]{64})(?: ([\d:.TZ-]{0,24}))?$/u;
const BEGINNING = /^\d{1,15}(?::[0-9a-f]{0,63})?$/u;
const TWO_IN_ONE = /^\d{1,15}:[0-9a-f]{0,79}:[0-9a-f]{64}(?: [\d:.TZ-]{0,24})?$/u;
const TIME_LENGTH = new Date(0).toISOString().length;

const CHUNK_BYTES = 64 * 1024;
/** Much longer than any head; a longer line is read in pieces. */
const LONGEST_LINE = 4_096;

/** The line of a head, without the line break. */
export function headLine({ position, hash }: PublishedHead, at: Date): string {
  return `${position}:${hash} ${at.toISOString()}`;
}

/** Reads one line; null for an empty one. */
export function parseHeadLine(raw: string, line: number): HeadLine | null {
  // A power cut can leave zeros where a block was never written.
  const text = raw.replaceAll("\0", "").trim();
  const hadZeros = raw.includes("\0");
  if (text === "") {
    return hadZeros ? { kind: "torn", line, text: raw } : null;
  }
  const [, position, hash, at = ""] = WHOLE.exec(text) ?? [];
  if (position !== undefined && hash !== undefined && !hadZeros) {
    const time = at.length === TIME_LENGTH ? at : null;
    return { kind: "head", line, text: raw, position: Number(position), hash, at: time };
  }
  const isTorn = position !== undefined || BEGINNING.test(text) || TWO_IN_ONE.test(text);
  return { kind: isTorn ? "torn" : "garbage", line, text: raw };
}

/**
 * The first `size` bytes of a file as lines, chunk by chunk, so that a file of millions of lines takes little memory.
 * Their texts keep the bytes unchanged (latin1).
 */
export async function* readHeadLines(
  file: FileHandle,
  size: number,
): AsyncGenerator<readonly HeadLine[]> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let rest = "";
  let inPieces = false;
  let number = 1;
  for (let offset = 0; offset < size;) {
    const wanted = Math.min(CHUNK_BYTES, size - offset);
    const { bytesRead } = await file.read(buffer, 0, wanted, offset);
    if (bytesRead === 0) {
      break;
    }
    offset += bytesRead;
    const texts = (rest + buffer.toString("latin1", 0, bytesRead)).split("\n");
    rest = texts.pop() ?? "";
    const lines: HeadLine[] = [];
    for (const text of texts) {
      const line = inPieces ? pieceOf(text, number) : parseHeadLine(text, number);
      inPieces = false;
      number += 1;
      if (line !== null) {
        lines.push(line);
      }
    }
    if (rest.length > LONGEST_LINE) {
      lines.push({ kind: "garbage", line: number, text: rest });
      rest = "";
      inPieces = true;
    }
    yield lines;
  }
  const last = inPieces ? pieceOf(rest, number) : parseHeadLine(rest, number);
  if (last !== null) {
    yield [last.kind === "torn" ? { ...last, kind: "unfinished" } : last];
  }
}

function pieceOf(text: string, line: number): HeadLine | null {
  return text === "" ? null : { kind: "garbage", line, text };
}
