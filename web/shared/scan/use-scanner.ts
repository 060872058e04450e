// The camera as a hook: open while the component is mounted and the page is visible, otherwise closed.
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type RefObject } from "react";
import { chosenCamera, setTorch, type CameraFault } from "./camera.ts";
import { watchCodes, type LiveCamera } from "./watch-codes.ts";

export type ScannerState =
  /** The browser asks for permission, or the camera starts. */
  | { readonly kind: "asking" }
  | { readonly kind: "live"; readonly camera: LiveCamera; readonly isLit: boolean }
  | { readonly kind: "fault"; readonly fault: CameraFault | "reader" };

export type Scanner = {
  readonly state: ScannerState;
  /** Tries again after a fault. */
  readonly retry: () => void;
  readonly choose: (cameraId: string) => void;
  readonly light: (isOn: boolean) => void;
};

const asking: ScannerState = { kind: "asking" };

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

export function useScanner(
  video: RefObject<HTMLVideoElement | null>,
  onCode: (code: string) => void,
): Scanner {
  const [state, setState] = useState(asking);
  // A new object is a new attempt, even with the same camera.
  const [wanted, setWanted] = useState(() => ({ cameraId: chosenCamera.read() }));
  const isInSight = useSyncExternalStore(onVisibility, () => !document.hidden);
  const tell = useEffectEvent(onCode);
  useEffect(() => {
    if (!isInSight || video.current === null) {
      return undefined;
    }
    const ended = new AbortController();
    void watchCodes({
      video: video.current,
      cameraId: wanted.cameraId,
      signal: ended.signal,
      onLive: (camera) => setState({ kind: "live", camera, isLit: false }),
      onCode: (code) => tell(code),
      onFault: (fault) => setState({ kind: "fault", fault }),
    });
    return () => {
      ended.abort();
      setState(asking);
    };
  }, [video, isInSight, wanted]);

  return {
    state,
    retry: () => setWanted({ ...wanted }),
    choose(cameraId) {
      chosenCamera.write(cameraId);
      setWanted({ cameraId });
    },
    light(isOn) {
      if (state.kind !== "live") {
        return;
      }
      void (async () => {
        try {
          await setTorch(state.camera.track, isOn);
          setState({ ...state, isLit: isOn });
        } catch (error) {
          // The lamp stays as it is, and so does the button's label.
          console.warn("The lamp could not be switched", error);
        }
      })();
    },
  };
}
