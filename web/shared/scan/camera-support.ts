// Whether a camera is worth offering.

/** Whether this browser, at this address, can have a camera at all: never where the connection is not secure. */
export function canHaveCamera(): boolean {
  return "mediaDevices" in navigator && "getUserMedia" in navigator.mediaDevices;
}
