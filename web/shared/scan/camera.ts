// The camera itself: opened for the rear one first, named, lit, and let go.
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";

declare global {
  // What cameras of phones have and the library's types do not know yet.
  interface MediaTrackCapabilities {
    torch?: boolean;
  }
  interface MediaTrackConstraintSet {
    torch?: boolean;
  }
}

/** Why there is no picture. */
export type CameraFault = "denied" | "missing" | "busy" | "failed";

export type Camera = { readonly id: string; readonly label: string };

/** The camera that was chosen last; a phone's wide or close-up one may read better. */
export const chosenCamera = localValue("scanCamera", z.string(), "");

const size = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** What to tell about an error of `openCamera`. */
export function faultOf(error: unknown): CameraFault {
  const faults: Readonly<Record<string, CameraFault>> = {
    NotAllowedError: "denied",
    SecurityError: "denied",
    NotFoundError: "missing",
    OverconstrainedError: "missing",
    NotReadableError: "busy",
    AbortError: "busy",
  };
  return (error instanceof Error ? faults[error.name] : undefined) ?? "failed";
}

/** The camera with this id, else the one at the back, else any. Rejects with what `faultOf` knows. */
export async function openCamera(id: string): Promise<MediaStream> {
  const open = (video: MediaTrackConstraints) => navigator.mediaDevices.getUserMedia({ video });
  const back: MediaTrackConstraints = { ...size, facingMode: { ideal: "environment" } };
  if (id === "") {
    return open(back);
  }
  try {
    return await open({ ...size, deviceId: { exact: id } });
  } catch (error) {
    // It is not there any more, or the browser has given it another name.
    if (faultOf(error) !== "missing") {
      throw error;
    }
    return open(back);
  }
}

/** The light of the camera goes out with it. */
export function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) {
    track.stop();
  }
}

/** All cameras; their names are only known once one is open. */
export async function listCameras(): Promise<readonly Camera[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "")
    .map(({ deviceId, label }, index) => ({
      id: deviceId,
      label: label === "" ? `Camera ${index + 1}` : label,
    }));
}

export function hasTorch(track: MediaStreamTrack): boolean {
  return "getCapabilities" in track && track.getCapabilities().torch === true;
}

export async function setTorch(track: MediaStreamTrack, isOn: boolean): Promise<void> {
  await track.applyConstraints({ advanced: [{ torch: isOn }] });
}
