// Takes files of pictures apart, for the check and for the removal of metadata, so that both see the same parts.

/** `name`: a chunk's four letters. `bytes`: all of it, with its header; `data`: what is inside. */
export type Chunk = { readonly name: string; readonly bytes: Buffer; readonly data: Buffer };

/** `mark`: the second byte of its mark. The bytes of a start of scan (0xda) end with its scan. */
export type Segment = { readonly mark: number; readonly bytes: Buffer; readonly data: Buffer };

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";

/** From IHDR to the first IEND; null if the file is damaged or no PNG. */
export function pngChunks(file: Buffer): readonly Chunk[] | null {
  if (file.toString("latin1", 0, 8) !== PNG_SIGNATURE) {
    return null;
  }
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) {
      return null;
    }
    const name = file.toString("latin1", at + 4, at + 8);
    chunks.push({ name, bytes: file.subarray(at, end), data: file.subarray(at + 8, end - 4) });
    if (name === "IEND") {
      return chunks;
    }
    at = end;
  }
  return null;
}

/**
 * Between the start mark and the first end mark: phones append whole other pictures behind it. Null if the file is
 * damaged or no JPEG. Stricter than decoders, which search for the next mark where none is: they must find no others.
 */
export function jpegSegments(file: Buffer): readonly Segment[] | null {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xff_d8) {
    return null;
  }
  const segments: Segment[] = [];
  for (let at = 2; at + 2 <= file.length && file.readUInt8(at) === 0xff;) {
    const mark = file.readUInt8(at + 1);
    if (mark === 0xd9) {
      return segments;
    }
    if (mark === 0xff) {
      // A mark may be padded with more 0xff.
      at += 1;
    } else {
      const end = hasLength(mark) && at + 4 <= file.length ? endOfSegment(file, at) : null;
      if (end === null) {
        return null;
      }
      const next = mark === 0xda ? endOfScan(file, end) : end;
      segments.push({ mark, bytes: file.subarray(at, next), data: file.subarray(at + 4, end) });
      at = next;
    }
  }
  return null;
}

/** Restart marks stand only in a scan, a second start mark nowhere, and those below 0xc0 are not in use. */
function hasLength(mark: number): boolean {
  return mark >= 0xc0 && !(mark >= 0xd0 && mark <= 0xd8);
}

function endOfSegment(file: Buffer, at: number): number | null {
  const length = file.readUInt16BE(at + 2);
  const end = at + 2 + length;
  return length < 2 || end > file.length ? null : end;
}

/** Where the next mark begins: in a scan, 0xff is followed by 0 or by a restart mark. */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at !== -1 && at + 1 < file.length) {
    const next = file.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) {
      return at;
    }
    at = file.indexOf(0xff, at + (next === 0xff ? 1 : 2));
  }
  return file.length;
}

/** All within the RIFF file; null if the file is damaged or no WebP. */
export function webpChunks(file: Buffer): readonly Chunk[] | null {
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WEBP") {
    return null;
  }
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) {
    return null;
  }
  const chunks: Chunk[] = [];
  let at = 12;
  while (at + 8 <= end) {
    const dataEnd = at + 8 + file.readUInt32LE(at + 4);
    if (dataEnd > end) {
      return null;
    }
    const name = file.toString("latin1", at, at + 4);
    // Chunks begin at even places.
    const next = Math.min(dataEnd + (dataEnd % 2), end);
    chunks.push({ name, bytes: file.subarray(at, next), data: file.subarray(at + 8, dataEnd) });
    at = next;
  }
  return at === end ? chunks : null;
}
