// How large the long tests are: small in `npm test`, full in `npm run trial`.

const isTrial = process.env["TRIAL"] === "full";

/** `small` is enough to cover everything once; `full` is what the promise was proved with. */
export function sized<Size>(small: Size, full: Size): Size {
  return isTrial ? full : small;
}
