// The message and the advice for each reason why the camera shows no picture or codes cannot be read.
import { CameraOff, CloudOff, Video, type LucideIcon } from "lucide-react";
import type { CameraFault } from "./camera.ts";

type FaultWords = { readonly icon: LucideIcon; readonly title: string; readonly help: string };

export const faultWords: Readonly<Record<CameraFault | "reader", FaultWords>> = {
  denied: {
    icon: CameraOff,
    title: "Camera access is denied",
    help: "Open the browser's settings for this site, next to the address, and allow the camera. A phone may also ask for it in its own settings for the browser. Then try again.",
  },
  missing: {
    icon: CameraOff,
    title: "No camera found",
    help: "Connect one and try again, or type the code, or use a scanner.",
  },
  busy: {
    icon: Video,
    title: "The camera is in use",
    help: "Another app or tab is using it. Close that, then try again.",
  },
  failed: {
    icon: CameraOff,
    title: "The camera could not be started",
    help: "Try again, or type the code, or use a scanner.",
  },
  reader: {
    icon: CloudOff,
    title: "The code reader could not be loaded",
    help: "Nothing was lost. Check your connection and try again, or type the code.",
  },
};
