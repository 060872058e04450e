// Pictures for the sample store's goods, drawn here shape by shape: nothing of anybody else's is in them.
import { crc32, deflateSync } from "node:zlib";
import type { Sql } from "#db/connect.ts";
import { insertImage, keepImages } from "#http/stored-images.ts";
import { imageAddress } from "#ledger/fields.ts";
import { type Category, catalog, type Product } from "./catalog.ts";
import { sampleId } from "./commands.ts";

const PIXELS = 112;
/** Each pixel is the mean of a square of points, this many on each side. */
const POINTS = 2;

type Color = readonly [number, number, number];
/** Whether a point of the square from -1 to 1 is inside. */
type Inside = (x: number, y: number) => boolean;
type Shape = { readonly inside: Inside; readonly color: "main" | "dark" | "light" | "white" };

function box(left: number, top: number, right: number, bottom: number, radius = 0): Inside {
  const [midX, midY] = [(left + right) / 2, (top + bottom) / 2];
  const [halfX, halfY] = [(right - left) / 2 - radius, (bottom - top) / 2 - radius];
  return (x, y) => {
    const [outX, outY] = [Math.abs(x - midX) - halfX, Math.abs(y - midY) - halfY];
    return (
      Math.hypot(Math.max(outX, 0), Math.max(outY, 0)) <= radius && outX <= radius && outY <= radius
    );
  };
}

function disc(midX: number, midY: number, radius: number, hole = 0): Inside {
  return (x, y) => {
    const far = Math.hypot(x - midX, y - midY);
    return far <= radius && far >= hole;
  };
}

/** Points on the right side of every edge of a convex polygon, named clockwise. */
function polygon(...corners: readonly (readonly [number, number])[]): Inside {
  return (x, y) =>
    corners.every(([fromX, fromY], index) => {
      const [toX, toY] = corners[(index + 1) % corners.length] ?? [0, 0];
      return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX) >= 0;
    });
}

const both =
  (one: Inside, other: Inside): Inside =>
  (x, y) =>
    one(x, y) && other(x, y);

const upper = box(-1, -1, 1, 0);

/** A thing of each category, from the back to the front. */
const drawings: Readonly<Record<Category, readonly (readonly Shape[])[]>> = {
  electronics: [
    [
      { inside: both(disc(0, 0, 0.62, 0.5), box(-1, -1, 1, 0.05)), color: "dark" },
      { inside: box(-0.7, -0.05, -0.38, 0.5, 0.12), color: "main" },
      { inside: box(0.38, -0.05, 0.7, 0.5, 0.12), color: "main" },
    ],
    [
      { inside: box(-0.38, -0.68, 0.38, 0.68, 0.12), color: "dark" },
      { inside: box(-0.31, -0.58, 0.31, 0.5, 0.04), color: "light" },
      { inside: disc(0, 0.59, 0.05), color: "main" },
    ],
  ],
  games: [
    [
      { inside: box(-0.72, -0.3, 0.72, 0.38, 0.32), color: "main" },
      { inside: box(-0.52, -0.03, -0.18, 0.07), color: "white" },
      { inside: box(-0.4, -0.15, -0.3, 0.19), color: "white" },
      { inside: disc(0.28, 0.08, 0.08), color: "light" },
      { inside: disc(0.48, -0.06, 0.08), color: "dark" },
    ],
    [
      { inside: box(-0.42, -0.62, 0.42, 0.62, 0.05), color: "main" },
      { inside: box(-0.34, -0.5, 0.34, -0.2, 0.03), color: "white" },
      { inside: disc(0, 0.2, 0.24), color: "light" },
      { inside: disc(0, 0.2, 0.1), color: "dark" },
    ],
  ],
  sneakers: [
    [
      {
        inside: polygon([-0.66, -0.4], [-0.2, -0.4], [0.72, 0.18], [0.72, 0.3], [-0.66, 0.3]),
        color: "main",
      },
      { inside: box(-0.72, 0.24, 0.76, 0.44, 0.08), color: "white" },
      { inside: box(-0.72, 0.38, 0.76, 0.46, 0.04), color: "dark" },
      {
        inside: polygon([-0.12, -0.26], [0.0, -0.18], [-0.16, 0.12], [-0.28, 0.04]),
        color: "light",
      },
      {
        inside: polygon([0.12, -0.12], [0.24, -0.04], [0.08, 0.22], [-0.04, 0.16]),
        color: "light",
      },
    ],
  ],
  collectibles: [
    [
      { inside: box(-0.6, -0.1, 0.6, 0.56, 0.04), color: "main" },
      { inside: box(-0.46, -0.3, -0.14, -0.08, 0.04), color: "light" },
      { inside: box(0.14, -0.3, 0.46, -0.08, 0.04), color: "light" },
      { inside: box(-0.6, 0.4, 0.6, 0.56, 0.04), color: "dark" },
    ],
    [
      { inside: disc(0, -0.24, 0.34), color: "main" },
      { inside: box(-0.3, 0.12, 0.3, 0.6, 0.14), color: "dark" },
      { inside: disc(-0.12, -0.24, 0.07), color: "white" },
      { inside: disc(0.12, -0.24, 0.07), color: "white" },
    ],
  ],
  kitchen: [
    [
      { inside: disc(0.44, 0.06, 0.28, 0.18), color: "dark" },
      { inside: box(-0.52, -0.34, 0.4, 0.5, 0.14), color: "main" },
      { inside: box(-0.52, -0.34, 0.4, -0.22, 0.05), color: "light" },
    ],
    [
      { inside: box(-0.8, -0.1, 0.8, 0.02, 0.06), color: "dark" },
      { inside: box(-0.56, -0.14, 0.56, 0.5, 0.2), color: "main" },
      { inside: box(-0.56, -0.26, 0.56, -0.12, 0.06), color: "light" },
      { inside: disc(0, -0.32, 0.08), color: "dark" },
    ],
  ],
  home: [
    [
      { inside: box(-0.05, -0.1, 0.05, 0.6), color: "dark" },
      { inside: polygon([-0.24, -0.62], [0.24, -0.62], [0.5, 0.0], [-0.5, 0.0]), color: "main" },
      { inside: box(-0.34, 0.54, 0.34, 0.64, 0.05), color: "dark" },
    ],
    [
      { inside: box(-0.6, -0.2, 0.6, 0.36, 0.12), color: "main" },
      { inside: box(-0.72, 0.0, -0.46, 0.46, 0.1), color: "dark" },
      { inside: box(0.46, 0.0, 0.72, 0.46, 0.1), color: "dark" },
      { inside: box(-0.44, 0.1, 0.44, 0.4, 0.06), color: "light" },
    ],
  ],
  outdoors: [
    [
      { inside: polygon([0, -0.56], [0.74, 0.5], [-0.74, 0.5]), color: "main" },
      { inside: polygon([0, -0.1], [0.24, 0.5], [-0.24, 0.5]), color: "dark" },
      { inside: both(disc(0.5, -0.46, 0.16), upper), color: "light" },
    ],
    [
      { inside: disc(0, -0.44, 0.24, 0.16), color: "dark" },
      { inside: box(-0.44, -0.46, 0.44, 0.6, 0.2), color: "main" },
      { inside: box(-0.3, 0.06, 0.3, 0.48, 0.08), color: "light" },
      { inside: box(-0.3, 0.16, 0.3, 0.22), color: "dark" },
    ],
  ],
  books: [
    [
      { inside: box(-0.44, -0.62, 0.48, 0.62, 0.04), color: "dark" },
      { inside: box(-0.38, -0.62, 0.48, 0.54, 0.04), color: "main" },
      { inside: box(-0.38, 0.5, 0.46, 0.58), color: "white" },
      { inside: box(-0.2, -0.4, 0.3, -0.28), color: "light" },
      { inside: box(-0.2, -0.18, 0.16, -0.1), color: "light" },
    ],
  ],
};

const tones: readonly Color[] = [
  [0x2f, 0x5d, 0xb3],
  [0xb6, 0x4b, 0x3c],
  [0x2b, 0x80, 0x6b],
  [0x8a, 0x5a, 0x9e],
];
const PAPER: Color = [0xf0, 0xee, 0xeb];
const WHITE: Color = [0xff, 0xff, 0xff];

function mixed(one: Color, other: Color, part: number): Color {
  const at = (channel: 0 | 1 | 2) => Math.round(one[channel] * (1 - part) + other[channel] * part);
  return [at(0), at(1), at(2)];
}

const parts = ["paper", "main", "dark", "light", "white"] as const;

/** For each pixel, how many of its points are of each part. The same drawing comes in several tones. */
function coverageOf(shapes: readonly Shape[]): Uint8Array {
  const painted = shapes
    .map(({ inside, color }) => ({ inside, part: parts.indexOf(color) }))
    .toReversed();
  const counts = new Uint8Array(PIXELS * PIXELS * parts.length);
  const size = PIXELS * POINTS;
  for (let row = 0; row < size; row += 1) {
    const y = ((row + 0.5) * 2) / size - 1;
    for (let column = 0; column < size; column += 1) {
      const x = ((column + 0.5) * 2) / size - 1;
      const part = painted.find(({ inside }) => inside(x, y))?.part ?? 0;
      const pixel = Math.floor(row / POINTS) * PIXELS + Math.floor(column / POINTS);
      const at = pixel * parts.length + part;
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return counts;
}

/** A PNG of a drawing in a tone on paper. */
function pictureIn(coverage: Uint8Array, tone: Color): Uint8Array {
  const dark = mixed(tone, [0x16, 0x16, 0x18], 0.55);
  const colors = [PAPER, tone, dark, mixed(tone, WHITE, 0.55), WHITE];
  // Each line begins with its filter; 0 is none.
  const lines = Buffer.alloc(PIXELS * (PIXELS * 3 + 1));
  for (let pixel = 0; pixel < PIXELS * PIXELS; pixel += 1) {
    const at = pixel * 3 + Math.floor(pixel / PIXELS) + 1;
    for (let channel = 0; channel < 3; channel += 1) {
      let sum = 0;
      for (let part = 0; part < parts.length; part += 1) {
        sum += (coverage[pixel * parts.length + part] ?? 0) * (colors[part]?.[channel] ?? 0);
      }
      lines[at + channel] = Math.round(sum / (POINTS * POINTS));
    }
  }
  return pngOf(lines);
}

/** From lines of red, green and blue. */
function pngOf(lines: Buffer): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PIXELS, 0);
  header.writeUInt32BE(PIXELS, 4);
  header.set([8, 2], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  return new Uint8Array(
    Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      chunk("IHDR", header),
      chunk("IDAT", deflateSync(lines)),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  );
}

/** Names of goods that look like the first drawing of their category; the others look like its last one. */
const firstKind: Readonly<Record<Category, RegExp>> = {
  electronics: /headphones|airpods|speaker|jbl/iu,
  games: /controller|dualsense|mario|zelda|smash|elden|war/iu,
  sneakers: /./u,
  collectibles: /lego|box|tin/iu,
  kitchen: /press|chemex|rambler|quencher|espresso|grinder/iu,
  home: /light|hue|thermostat|purifier|vase/iu,
  outdoors: /tent|spur|neoair|jetboil|headlamp|garmin/iu,
  books: /./u,
};

type Sample = { readonly key: string; readonly shapes: readonly Shape[]; readonly tone: Color };

/** What the picture of a product is, by its place in its category; undefined for the few that have none yet. */
function pictureOf(product: Product): Sample | undefined {
  const place = catalog.filter(({ category }) => category === product.category).indexOf(product);
  const kinds = drawings[product.category];
  const kind = firstKind[product.category].test(product.name) ? 0 : kinds.length - 1;
  const color = place % tones.length;
  const [shapes, tone] = [kinds[kind], tones[color]];
  return !product.hasPicture || shapes === undefined || tone === undefined
    ? undefined
    : { key: `picture:${product.category}:${kind}:${color}`, shapes, tone };
}

/** The address of a product's picture; empty for the few that have none yet. */
export function samplePicture(product: Product): string {
  const picture = pictureOf(product);
  return picture === undefined ? "" : imageAddress(sampleId(picture.key));
}

/** Stores all pictures that are not there yet. */
export async function storeSamplePictures(sql: Sql, now: Date): Promise<void> {
  const wanted = new Map(
    catalog.flatMap((product) => {
      const picture = pictureOf(product);
      return picture === undefined ? [] : [[sampleId(picture.key), picture] as const];
    }),
  );
  const ids = [...wanted.keys()];
  const known = await sql<{ id: string }[]>`
    select id from files.images where id = any(${ids}::uuid[])`;
  const there = new Set(known.map(({ id }) => id));
  const drawn = new Map<readonly Shape[], Uint8Array>();
  await sql.begin(async (transaction) => {
    for (const [id, { shapes, tone }] of wanted) {
      if (!there.has(id)) {
        const coverage = drawn.get(shapes) ?? coverageOf(shapes);
        drawn.set(shapes, coverage);
        const picture = { type: "image/png", bytes: pictureIn(coverage, tone) } as const;
        await insertImage(transaction, { id, salt: null, picture, thumbnail: null }, now);
      }
    }
    await keepImages(transaction, ids, now);
  });
}
