// Reads the codes in a picture: with the browser's own detector if it knows all kinds, otherwise with our library in a worker.
import { codeFormats, codeText } from "./code-text.ts";

export type CodeReader = {
  /** The codes in the picture as a scanner would type them. Takes ownership of the picture; one at a time. */
  readonly read: (picture: ImageBitmap) => Promise<readonly string[]>;
  readonly close: () => void;
};

type Detector = {
  readonly detect: (
    picture: ImageBitmap | ImageData,
  ) => Promise<readonly { readonly rawValue: string; readonly format: string }[]>;
};

type DetectorClass = {
  new (options: { readonly formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<readonly string[]>;
};

declare global {
  // Not every browser has it.
  var BarcodeDetector: DetectorClass | undefined;
}

async function ownDetector(): Promise<Detector | undefined> {
  const Found = globalThis.BarcodeDetector;
  try {
    const known = await Found?.getSupportedFormats();
    if (Found === undefined || codeFormats.some((format) => known?.includes(format) !== true)) {
      return undefined;
    }
    const detector = new Found({ formats: codeFormats });
    // Some browsers have the class and list all formats, but no service behind them.
    await detector.detect(new ImageData(8, 8));
    return detector;
  } catch {
    return undefined;
  }
}

function readerOf(detector: Detector): CodeReader {
  return {
    async read(picture) {
      const found = await detector.detect(picture);
      picture.close();
      return withText(found.map(({ format, rawValue }) => codeText(format, rawValue)));
    },
    close: () => undefined,
  };
}

function withText(codes: readonly string[]): readonly string[] {
  return codes.filter((code) => code !== "");
}

type WorkerAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "read"; readonly codes: readonly string[] }
  | { readonly kind: "failed"; readonly reason: string };

/** The worker's next answer. Rejects if the worker failed or could not be loaded. */
function nextAnswer(worker: Worker): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const heard = new AbortController();
    const { signal } = heard;
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<WorkerAnswer>) => {
        heard.abort();
        if (data.kind === "failed") {
          reject(new Error(data.reason));
        } else {
          resolve(data.kind === "read" ? withText(data.codes) : []);
        }
      },
      { signal },
    );
    const onError = (): void => {
      heard.abort();
      reject(new Error("the code reader could not be loaded"));
    };
    worker.addEventListener("error", onError, { signal });
    worker.addEventListener("messageerror", onError, { signal });
  });
}

async function readerInWorker(): Promise<CodeReader> {
  const worker = new Worker(new URL("code-reader-worker.ts", import.meta.url), { type: "module" });
  try {
    await nextAnswer(worker);
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    read(picture) {
      const answer = nextAnswer(worker);
      worker.postMessage(picture, [picture]);
      return answer;
    },
    close: () => worker.terminate(),
  };
}

/** Rejects if there is no detector and the library cannot be loaded. */
export async function openCodeReader(): Promise<CodeReader> {
  const detector = await ownDetector();
  return detector === undefined ? readerInWorker() : readerOf(detector);
}
