// Several files as one archive, piece by piece: each file is stored as it is, because PDFs are compressed already.
import { crc32 } from "node:zlib";

export type ArchivedFile = { readonly name: string; readonly bytes: Uint8Array };

/** What the format counts with 16 bits. */
export const MOST_FILES = 65_000;
const UTF8_NAMES = 0x0800;
const VERSION = 20;

/** The fields that a file's own header and its line in the directory share. */
function fieldsOf(name: Buffer, bytes: Uint8Array, madeAt: Date): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_NAMES, 2);
  const seconds =
    madeAt.getUTCHours() * 2048 + madeAt.getUTCMinutes() * 32 + madeAt.getUTCSeconds() / 2;
  fields.writeUInt16LE(Math.floor(seconds), 6);
  const years = madeAt.getUTCFullYear() - 1980;
  fields.writeUInt16LE(years * 512 + (madeAt.getUTCMonth() + 1) * 32 + madeAt.getUTCDate(), 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/** The archive's bytes, one piece for each file and one for the directory at the end. */
export async function* zipPieces(
  files: AsyncIterable<ArchivedFile>,
  madeAt: Date,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name: text, bytes } of files) {
    const name = Buffer.from(text);
    const fields = fieldsOf(name, bytes, madeAt);
    const piece = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, name, bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(VERSION);
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), made, fields, rest, name]));
    offset += piece.length;
    yield Uint8Array.from(piece);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  yield Uint8Array.from(Buffer.concat([list, Buffer.from("PK\u0005\u0006"), end]));
}

/** A response body that makes a piece when it is asked for. */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done === true) {
          controller.close();
        } else {
          controller.enqueue(next.value);
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
