// Whether to offer the camera.

/** Whether this browser can use a camera at this address. Never without a secure connection. */
export function canHaveCamera(): boolean {
  return "mediaDevices" in navigator && "getUserMedia" in navigator.mediaDevices;
}
