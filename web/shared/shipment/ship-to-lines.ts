// The lines of a box's address.
import type { ShipTo } from "#features/shipments/contract.ts";

/** The short id is the second line, which carriers print too. */
export function addressLines({ lines, shortId }: ShipTo): readonly string[] {
  const [name, ...rest] = lines ?? [];
  return name === undefined ? [`ID ${shortId}`] : [name, `ID ${shortId}`, ...rest];
}
