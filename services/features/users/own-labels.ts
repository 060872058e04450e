// The labels among somebody's own data: PDFs as base64, piece by piece, one file in memory at a time.
import type { Labels } from "#identity/labels.ts";

/** A multiple of three, so that the pieces of base64 make one text. */
const PIECE_BYTES = 98_304;

/** The elements of a JSON list. */
export async function* ownLabelsJson(labels: Labels, uid: string): AsyncGenerator<string> {
  let separator = "";
  for (const { id, keptAt } of await labels.listOf(uid)) {
    const label = await labels.open(id);
    if (label === null) {
      continue;
    }
    const head = JSON.stringify({ id, keptAt: keptAt.toISOString(), pdf: "" });
    yield `${separator}${head.slice(0, -2)}`;
    const bytes = Buffer.from(label.bytes);
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      yield bytes.subarray(start, start + PIECE_BYTES).toString("base64");
    }
    yield '"}';
    separator = ",";
  }
}
