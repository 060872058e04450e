// A camera for the browser whose picture the test decides: a code in front of it, or nothing.
import bwip from "bwip-js/node";
import type { BrowserContext, Page } from "playwright-core";

export type HeldCode = { readonly bcid: string; readonly text: string };

/** Each code by its text, as alternating widths of bars and gaps. */
type Bars = Readonly<Record<string, readonly number[]>>;

function barsOf(codes: readonly HeldCode[]): Bars {
  return Object.fromEntries(
    codes.map(({ bcid, text }) => {
      // oxlint-disable-next-line import/no-named-as-default-member -- the export of that name is a barcode format
      const [drawn] = bwip.raw({ bcid, text });
      return [text, drawn !== undefined && "sbs" in drawn ? Array.from(drawn.sbs) : []];
    }),
  );
}

/**
 * Runs in the page. Opens the browser's own camera, so that permission may be refused, and closes it again; the page
 * gets a drawing instead. Records what was opened, and lets a test decide why no camera is available.
 */
function replaceCamera(bars: Bars): void {
  const opened: MediaStreamTrack[] = [];
  Reflect.set(globalThis, "openedTracks", opened);
  if (!("mediaDevices" in navigator)) {
    // The empty page before the first one.
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = 640;
  canvas.height = 480;
  const context = canvas.getContext("2d");
  const moduleWidth = 3;
  function draw(): void {
    const held = bars[String(Reflect.get(globalThis, "heldCode"))] ?? [];
    if (context === null) {
      return;
    }
    context.fillStyle = "#ebebeb";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = "#101010";
    let x = (canvas.width - held.reduce((sum, bar) => sum + bar, 0) * moduleWidth) / 2;
    for (const [index, bar] of held.entries()) {
      if (index % 2 === 0) {
        context.fillRect(Math.floor(x), 150, bar * moduleWidth, 180);
      }
      x += bar * moduleWidth;
    }
  }
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (constraints) => {
    const error: unknown = Reflect.get(globalThis, "cameraError");
    if (typeof error === "string") {
      throw new DOMException("", error);
    }
    for (const track of (await open(constraints)).getTracks()) {
      track.stop();
    }
    const stream = canvas.captureStream();
    opened.push(...stream.getTracks());
    // The stream has one frame for each drawing.
    const timer = setInterval(() => {
      draw();
      if (stream.getTracks().every(({ readyState }) => readyState === "ended")) {
        clearInterval(timer);
      }
    }, 100);
    return stream;
  };
}

/** Gives every page of this browser such a camera. */
export async function giveCamera(
  visitor: BrowserContext,
  codes: readonly HeldCode[],
): Promise<void> {
  await visitor.addInitScript(replaceCamera, barsOf(codes));
}

/** Shows the code with this text to the camera from now on; without a text, nothing. */
export async function holdCode(page: Page, text = ""): Promise<void> {
  await page.evaluate((held) => Reflect.set(globalThis, "heldCode", held), text);
}

/** The states of the cameras this page has opened: "live" while the camera's light is on. */
export function cameraTracks(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const opened: unknown = Reflect.get(globalThis, "openedTracks");
    return Array.isArray(opened) ? opened.map((track) => String(track.readyState)) : [];
  });
}
