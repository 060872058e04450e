// From the open camera to the codes that count: looks repeatedly until it is aborted, then closes the camera.
import {
  faultOf,
  hasTorch,
  listCameras,
  openCamera,
  release,
  type Camera,
  type CameraFault,
} from "./camera.ts";
import { openCodeReader, type CodeReader } from "./code-reader.ts";
import { readArea } from "./read-area.ts";
import { look, nothingInSight } from "./sightings.ts";

/** The pause between two looks, so that the phone can do something else. */
const pauseMs = 60;

export type LiveCamera = {
  readonly track: MediaStreamTrack;
  readonly canLight: boolean;
  readonly cameras: readonly Camera[];
};

export type Watch = {
  readonly video: HTMLVideoElement;
  /** "" for the rear camera. */
  readonly cameraId: string;
  readonly onLive: (camera: LiveCamera) => void;
  readonly onCode: (code: string) => void;
  /** It has ended: "reader" if the code reader could not be loaded or failed. */
  readonly onFault: (fault: CameraFault | "reader") => void;
  readonly signal: AbortSignal;
};

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** Undefined while there is no frame. */
async function pictureOf(video: HTMLVideoElement): Promise<ImageBitmap | undefined> {
  const area = readArea(
    { width: video.videoWidth, height: video.videoHeight },
    { width: video.clientWidth, height: video.clientHeight },
  );
  return area === undefined || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA
    ? undefined
    : createImageBitmap(video, area.x, area.y, area.width, area.height);
}

async function watchWith(reader: CodeReader, { video, onCode, signal }: Watch): Promise<void> {
  let inSight = nothingInSight;
  while (!signal.aborted) {
    const picture = await pictureOf(video);
    if (picture !== undefined) {
      const seen = look(inSight, await reader.read(picture), performance.now());
      ({ inSight } = seen);
      for (const code of seen.counted) {
        if (!signal.aborted) {
          onCode(code);
        }
      }
    }
    await pause(signal);
  }
}

async function showPicture(stream: MediaStream, watch: Watch): Promise<void> {
  const { video, signal, onLive, onFault } = watch;
  const [track] = stream.getVideoTracks();
  if (track === undefined) {
    throw new DOMException("The stream has no picture", "NotFoundError");
  }
  track.addEventListener("ended", () => onFault("busy"), { signal });
  video.srcObject = stream;
  await video.play();
  onLive({ track, canLight: hasTorch(track), cameras: await listCameras() });
}

/** Opens the camera and reads until the signal aborts. Never rejects. */
export async function watchCodes(given: Watch): Promise<void> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([given.signal, stopped.signal]);
  const tell = (fault: CameraFault | "reader"): void => {
    if (!signal.aborted) {
      stopped.abort();
      given.onFault(fault);
    }
  };
  const watch = { ...given, signal, onFault: tell };
  // The reader loads while the browser asks for permission.
  const opening = openCodeReader();
  try {
    const stream = await openCamera(given.cameraId);
    const letGo = (): void => {
      release(stream);
      given.video.srcObject = null;
    };
    if (signal.aborted) {
      letGo();
      return;
    }
    signal.addEventListener("abort", letGo, { once: true });
    await showPicture(stream, watch);
  } catch (error) {
    tell(faultOf(error));
  }
  const reader = await opening.catch((error: unknown) => {
    console.warn("The code reader could not be loaded", error);
    tell("reader");
  });
  if (reader === undefined) {
    return;
  }
  try {
    await watchWith(reader, watch);
  } catch (error) {
    console.warn("The code reader has failed", error);
    tell("reader");
  } finally {
    reader.close();
  }
}
