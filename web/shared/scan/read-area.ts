// Which part of the camera's frame is read: only what is inside the aim on the screen.

type Size = { readonly width: number; readonly height: number };
export type Area = Size & { readonly x: number; readonly y: number };

/** The distance of the aim from the edges of the picture on screen, as shares of its width and height. */
export const aimInset = { x: 0.06, y: 0.16 };

/** `frame` is shown centered and cropped to fill `shown`. Undefined before there is a frame. */
export function readArea(frame: Size, shown: Size): Area | undefined {
  if (Math.min(frame.width, frame.height, shown.width, shown.height) <= 0) {
    return undefined;
  }
  const scale = Math.max(shown.width / frame.width, shown.height / frame.height);
  const width = Math.round((shown.width / scale) * (1 - 2 * aimInset.x));
  const height = Math.round((shown.height / scale) * (1 - 2 * aimInset.y));
  return {
    x: Math.round((frame.width - width) / 2),
    y: Math.round((frame.height - height) / 2),
    width,
    height,
  };
}
