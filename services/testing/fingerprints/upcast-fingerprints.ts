// The fingerprints of upcasts: a hash of what each fixture of an older version becomes, or of why it becomes nothing.
import { createHash } from "node:crypto";
import type { EventDefinition } from "#ledger/event.ts";
import { canonicalJson } from "#ledger/log/chain.ts";
import { upcastRow } from "#ledger/projection/upcast-rows.ts";
import type { EventFixture } from "#testing/shop/event-fixtures.ts";
import type { Fingerprint } from "#testing/fingerprints/kept-fingerprints.ts";

export function upcastFingerprints(
  events: readonly EventDefinition[],
  fixtures: readonly EventFixture[],
  file: string,
): readonly Fingerprint[] {
  const register = new Map(events.map((definition) => [definition.type, definition]));
  return fixtures.flatMap(({ type, version: stored, data }): Fingerprint[] => {
    const version = register.get(type)?.schemaVersion ?? 0;
    if (stored >= version) {
      return [];
    }
    // What read.upcast_events would have.
    const row = upcastRow(register, { type, schemaVersion: stored, data });
    const hash = createHash("sha256").update(canonicalJson(row)).digest("hex");
    return [{ kind: "upcast", name: `${type} v${stored}`, version, hash, file }];
  });
}
