// Waits for what else moves the focus after a change: a closing dialog returns it a frame or two later.

/** Calls `act` after that many frames. */
export function afterFrames(frames: number, act: () => void): void {
  requestAnimationFrame(() => (frames === 1 ? act() : afterFrames(frames - 1, act)));
}
