// Checks a file that somebody uploaded as a PDF: by content, never by name, before anything is stored.
import { promisify } from "node:util";
import { inflate } from "node:zlib";

/** The largest file that is accepted. */
export const MAX_PDF_BYTES = 10 * 1_048_576;

export type PdfProblem =
  | "empty_file"
  | "file_too_large"
  | "not_a_pdf"
  | "incomplete_pdf"
  | "pdf_with_actions"
  | "unreadable_pdf";

export const pdfProblemTexts: Readonly<Record<PdfProblem, string>> = {
  empty_file: "This file is empty",
  file_too_large: "A file is at most 10 MB",
  not_a_pdf: "This is not a PDF file",
  incomplete_pdf: "This PDF file is not complete",
  pdf_with_actions:
    "This PDF contains scripts, attached files or a form that sends something. Upload one with pages only",
  unreadable_pdf:
    "The contents of this PDF cannot be checked. Print it into a new PDF and upload that",
};

/** Names of objects that run or send something, or contain more than pages. Links and bookmarks are allowed. */
const ACTIONS =
  /\/(?:JavaScript|JS|Launch|EmbeddedFiles?|FileAttachment|EF|GoToE|GoToR|RichMedia|SubmitForm|ImportData|XFA)(?![^\s()<>[\]{}/%])/u;

/** The largest decompressed size of a file's object streams. */
const MAX_INFLATED_BYTES = 16 * 1_048_576;

const inflated = promisify(inflate);

/**
 * Null for a complete PDF with only pages. Object streams are unpacked for this. A file made to deceive may still get
 * through, so uploads are only served as attachments that cannot run (`answerPdf`).
 */
export async function problemOfPdf(bytes: Uint8Array): Promise<PdfProblem | null> {
  if (bytes.byteLength === 0) {
    return "empty_file";
  }
  if (bytes.byteLength > MAX_PDF_BYTES) {
    return "file_too_large";
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!/^%PDF-[12]\.\d/u.test(text)) {
    return "not_a_pdf";
  }
  if (!/startxref\s+\d+\s+%%EOF[\s\0]*$/u.test(text.slice(-1024))) {
    return "incomplete_pdf";
  }
  const { outside, objectStreams } = splitStreams(text);
  if (/\/Encrypt(?![^\s()<>[\]{}/%])/u.test(outside)) {
    return "unreadable_pdf";
  }
  return ACTIONS.test(outside) ? "pdf_with_actions" : problemOfObjects(objectStreams);
}

type ObjectStream = { readonly dictionary: string; readonly data: string };

/**
 * The text outside of streams, with names spelled out, and the streams that contain objects. Other streams are
 * drawings, fonts and images, where any letters may occur by chance.
 */
function splitStreams(text: string): {
  readonly outside: string;
  readonly objectStreams: readonly ObjectStream[];
} {
  const parts: string[] = [];
  const objectStreams: ObjectStream[] = [];
  let from = 0;
  for (let start = nextStream(text, 0); start !== undefined; start = nextStream(text, from)) {
    const before = spelledOut(text.slice(from, start.dictionaryEnd));
    const end = text.indexOf("endstream", start.dataStart);
    const dictionary = before.slice(before.lastIndexOf("obj") + 1);
    parts.push(before);
    if (/\/ObjStm/u.test(dictionary)) {
      objectStreams.push({ dictionary, data: text.slice(start.dataStart, end) });
    }
    from = end === -1 ? text.length : end;
  }
  parts.push(spelledOut(text.slice(from)));
  return { outside: parts.join(" "), objectStreams };
}

type StreamStart = { readonly dictionaryEnd: number; readonly dataStart: number };

/**
 * The next `>>` that only spaces and comments separate from `stream`. It reads each character once: a regular expression
 * that skips comments begins again at each `>>` within a comment, which takes minutes for a file made of them.
 */
function nextStream(text: string, from: number): StreamStart | undefined {
  // The ends of dictionaries that a stream may still follow: after spaces only, and within a comment.
  let afterSpaces = -1;
  let inComment = -1;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (inComment !== -1 && (sign === "\n" || sign === "\r")) {
      afterSpaces = inComment;
      inComment = -1;
    } else if (sign === ">" && at > from && text.charAt(at - 1) === ">") {
      afterSpaces = at + 1;
    } else if (afterSpaces !== -1 && !SPACE.test(sign)) {
      STREAM.lastIndex = at;
      if (STREAM.test(text)) {
        return { dictionaryEnd: afterSpaces, dataStart: STREAM.lastIndex };
      }
      if (sign === "%" && inComment === -1) {
        inComment = afterSpaces;
      }
      afterSpaces = -1;
    }
  }
  return undefined;
}

const SPACE = /[\s\0]/u;
const STREAM = /stream\r?\n/uy;

const SIGN = 0x23;

/** The value of a hexadecimal digit; -1 for any other byte. */
function digitOf(byte: number | undefined): number {
  if (byte === undefined) {
    return -1;
  }
  const letter = byte | 0x20;
  return byte >= 0x30 && byte <= 0x39
    ? byte - 0x30
    : letter >= 0x61 && letter <= 0x66
      ? letter - 0x57
      : -1;
}

/** The byte that two hexadecimal digits stand for; undefined for anything else. */
function codeAt(bytes: Buffer, at: number): number | undefined {
  const high = digitOf(bytes[at]);
  const low = digitOf(bytes[at + 1]);
  return high === -1 || low === -1 ? undefined : high * 16 + low;
}

/** Names may contain any letter as `#4a`. In place: to call a function for each of three million takes seconds. */
function spelledOut(text: string): string {
  if (!text.includes("#")) {
    return text;
  }
  const bytes = Buffer.from(text, "latin1");
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] === SIGN ? codeAt(bytes, at + 1) : undefined;
    bytes[length] = code ?? bytes[at] ?? 0;
    length += 1;
    at += code === undefined ? 0 : 2;
  }
  return bytes.toString("latin1", 0, length);
}

async function problemOfObjects(streams: readonly ObjectStream[]): Promise<PdfProblem | null> {
  let left = MAX_INFLATED_BYTES;
  for (const { dictionary, data } of streams) {
    const isPlain = !/\/Filter/u.test(dictionary);
    const isDeflated =
      /\/Filter\s*(?:\[\s*)?\/FlateDecode\s*(?:\]|\/|>>)/u.test(dictionary) &&
      !/\/DecodeParms/u.test(dictionary);
    if (!isPlain && !isDeflated) {
      return "unreadable_pdf";
    }
    const objects = isPlain ? data : await unpacked(data, left);
    if (objects === null) {
      return "unreadable_pdf";
    }
    left -= objects.length;
    if (ACTIONS.test(spelledOut(objects))) {
      return "pdf_with_actions";
    }
  }
  return null;
}

/** Null if it is damaged or larger than `limit`. */
async function unpacked(data: string, limit: number): Promise<string | null> {
  try {
    const bytes = await inflated(Buffer.from(data, "latin1"), {
      maxOutputLength: Math.max(1, limit),
    });
    return bytes.toString("latin1");
  } catch {
    return null;
  }
}
