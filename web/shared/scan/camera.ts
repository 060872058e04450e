// The camera itself: opened (the rear one first), named, its lamp switched, and closed.
import * as z from "zod/mini";
import { localValue } from "#web/lib/local-store.ts";

declare global {
  // Capabilities of phone cameras that the library's types do not have yet.
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

/** The camera that was chosen last. A phone's wide-angle or macro camera may read better. */
export const chosenCamera = localValue("scanCamera", z.string(), "");

const size = { width: { ideal: 1280 }, height: { ideal: 720 } };

/** The fault to show for an error of `openCamera`. */
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

/** The camera with this id, otherwise the rear one, otherwise any. Rejects with errors that `faultOf` knows. */
export async function openCamera(id: string): Promise<MediaStream> {
  const open = (video: MediaTrackConstraints) => navigator.mediaDevices.getUserMedia({ video });
  const back: MediaTrackConstraints = { ...size, facingMode: { ideal: "environment" } };
  if (id === "") {
    return open(back);
  }
  try {
    return await open({ ...size, deviceId: { exact: id } });
  } catch (error) {
    // It is gone, or the browser has changed its id.
    if (faultOf(error) !== "missing") {
      throw error;
    }
    return open(back);
  }
}

/** Also turns the camera's light off. */
export function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) {
    track.stop();
  }
}

/** All cameras. Their names are known only after one was opened. */
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
