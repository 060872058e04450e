// Reads codes in pictures in a worker, so that the page stays responsive and WebAssembly runs only here.
import { prepareZXingModule, readBarcodes, type ReaderOptions } from "zxing-wasm/reader";
import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url";
import { codeText } from "./code-text.ts";

/** This library's names for `codeFormats`. It reads UPC-A as EAN-13. */
const options: ReaderOptions = {
  formats: ["Code128", "Code39", "EAN13", "EAN8", "UPCA", "UPCE", "QRCode", "DataMatrix"],
  textMode: "Plain",
  tryInvert: false,
  maxNumberOfSymbols: 8,
};

async function read(picture: ImageBitmap): Promise<readonly string[]> {
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext("2d", {
    willReadFrequently: true,
  });
  context?.drawImage(picture, 0, 0);
  picture.close();
  const pixels = context?.getImageData(0, 0, width, height);
  const results = pixels === undefined ? [] : await readBarcodes(pixels, options);
  return results.map(({ format, text }) => codeText(format, text));
}

// By default the library would fetch the file from another host.
const ready = prepareZXingModule({
  overrides: { locateFile: () => wasmUrl },
  fireImmediately: true,
});

async function tellReady(): Promise<void> {
  try {
    await ready;
    postMessage({ kind: "ready" });
  } catch (error) {
    postMessage({ kind: "failed", reason: String(error) });
  }
}

async function answer(picture: ImageBitmap): Promise<void> {
  try {
    postMessage({ kind: "read", codes: await read(picture) });
  } catch (error) {
    postMessage({ kind: "failed", reason: String(error) });
  }
}

addEventListener("message", ({ data }: MessageEvent<ImageBitmap>) => void answer(data));
void tellReady();
