// A film for the browser's stand-in camera: codes held in front of it one after the other, with empty hands between.
import { writeFile } from "node:fs/promises";
import bwip from "bwip-js/node";

export type Scene = { readonly bcid: string; readonly text: string };

const width = 640;
const height = 480;
const framesPerSecond = 10;
const shownFrames = 6;
/** Long enough that a code counts as gone. */
const emptyFrames = 14;
const moduleWidth = 3;

/** Grey values of one frame: bars in the middle of a white sheet. */
function frameOf(scene: Scene | undefined): Buffer {
  const grey = Buffer.alloc(width * height, 235);
  if (scene !== undefined) {
    // oxlint-disable-next-line import/no-named-as-default-member -- the export of that name is a kind of barcode
    const [bars] = bwip.raw({ bcid: scene.bcid, text: scene.text });
    const widths = bars !== undefined && "sbs" in bars ? Array.from(bars.sbs) : [];
    const modules = widths.reduce((sum, bar) => sum + bar, 0);
    let x = Math.floor((width - modules * moduleWidth) / 2);
    for (const [index, bar] of widths.entries()) {
      if (index % 2 === 0) {
        for (let row = 150; row < 330; row += 1) {
          const start = row * width + x;
          grey.fill(16, start, start + bar * moduleWidth);
        }
      }
      x += bar * moduleWidth;
    }
  }
  const colours = Buffer.alloc(width * height * 0.5, 128);
  return Buffer.concat([Buffer.from("FRAME\n"), grey, colours]);
}

/** Writes the film as YUV4MPEG2; the browser shows it over and over, two seconds for each code. */
export async function writeFilm(file: string, scenes: readonly Scene[]): Promise<void> {
  const empty = frameOf(undefined);
  const frames = scenes.flatMap((scene) => {
    const shown = frameOf(scene);
    return [
      ...Array.from({ length: shownFrames }, () => shown),
      ...Array.from({ length: emptyFrames }, () => empty),
    ];
  });
  const head = `YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420\n`;
  await writeFile(file, Buffer.concat([Buffer.from(head), ...frames]));
}
