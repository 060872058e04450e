// The sample store's settings: its name, address, logo and time zone, one changed rate, and the agreed shares.
import { deflateSync, crc32 } from "node:zlib";
import {
  agreeShare,
  changeDetails,
  changeLogo,
  changeRates,
  changeTimeZone,
} from "#features/settings/decider.ts";
import { writeDetails, writeLogo } from "#features/settings/store-rows.ts";
import { DEFAULT_RATES } from "#features/settings/streams.ts";
import type { SampleCommands } from "./commands.ts";
import { sampleId } from "./commands.ts";
import { consignors } from "./people.ts";

const details = {
  storeName: "Harbor Street Resale",
  returnPolicy: "Returns within 14 days with this receipt. Opened electronics: 7 days.",
  chatLink: "https://discord.gg/harbor-street-demo",
  venmoName: "harbor-street-resale",
  shippingAddress: {
    name: "Harbor Street Resale",
    street: "1200 Harbor Street",
    city: "Milwaukee",
    state: "WI",
    zip: "53202",
    country: "USA",
  },
};

export const sampleTimeZone = "America/Chicago";

/** Adds the commands of the first day. `at` gives its instants. */
export function setUpStore(commands: SampleCommands, at: (minute: number) => Date): void {
  const change = (minute: number) => ({
    expectedVersion: null,
    happenedAt: at(minute).toISOString(),
  });
  const detailsId = sampleId("store-details");
  commands.rows.set("store-details", (sql) => writeDetails(sql, detailsId, details));
  commands.add("store-details", changeDetails, {
    ...change(0),
    detailsId,
    comparedWith: null,
    isSame: false,
  });
  const logoId = sampleId("store-logo");
  const logo = { type: "image/png", bytes: logoImage() } as const;
  commands.rows.set("store-logo", (sql) => writeLogo(sql, logoId, logo));
  commands.add("store-logo", changeLogo, { logoId, happenedAt: at(1).toISOString() });
  commands.add("store-time-zone", changeTimeZone, { ...change(2), timeZone: sampleTimeZone });
  // The fee is typed wrongly at first, so that the history shows a correction.
  const first = { ...DEFAULT_RATES, tradeShippingFeeCents: 500 };
  commands.add("store-rates:1", changeRates, { ...change(3), rates: first });
  commands.add("store-rates:2", changeRates, { ...change(40), rates: DEFAULT_RATES });
  for (const who of consignors) {
    if (who.percentage !== DEFAULT_RATES.defaultConsignorPercentage) {
      commands.add(`share:${who.name}`, agreeShare, {
        uid: commands.uids.of(who),
        percentage: who.percentage,
        happenedAt: at(45).toISOString(),
      });
    }
  }
}

const LOGO_PIXELS = 96;
const BLUE = [0x1f, 0x52, 0xb5];
const WHITE = [0xff, 0xff, 0xff];

/** Three waves on blue, drawn pixel by pixel as a PNG. */
function logoImage(): Uint8Array {
  const lines = Array.from({ length: LOGO_PIXELS }, (_, y) => [
    // Each line begins with its filter; 0 is none.
    0,
    ...Array.from({ length: LOGO_PIXELS }, (_column, x) => (isWave(x, y) ? WHITE : BLUE)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(LOGO_PIXELS, 0);
  header.writeUInt32BE(LOGO_PIXELS, 4);
  // 8 bits of red, green and blue.
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(lines.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function isWave(x: number, y: number): boolean {
  const isInside = x > 14 && x < LOGO_PIXELS - 15;
  return isInside && [30, 48, 66].some((line) => Math.abs(y - line - 6 * Math.sin(x / 8)) < 4);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
