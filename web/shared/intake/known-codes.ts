// What the inventory knows of scanned codes: asked while they come in, a few at a time, each once.
import { useEffect, useState } from "react";
import { maxMassInputBarcodes, type KnownBarcode } from "#features/inventory/contract-commands.ts";
import { askKnown } from "./mass-input-api.ts";

/** Null for a code that no item has; a code that is not in it has not been answered yet. */
export type CodeFacts = ReadonlyMap<string, KnownBarcode | null>;

const noFacts: CodeFacts = new Map();

/** A delay, so that a code is not looked up while it is typed. */
const settleMs = 200;

/** The facts about codes for an owner, null for the store. Codes that could not be asked for are tried again with the next. */
export function useKnownCodes(ownerUid: string | null, codes: readonly string[]): CodeFacts {
  const [kept, setKept] = useState({ ownerUid, facts: noFacts });
  const facts = kept.ownerUid === ownerUid ? kept.facts : noFacts;
  const missing = JSON.stringify(
    codes.filter((code) => !facts.has(code)).slice(0, maxMassInputBarcodes),
  );
  useEffect(() => {
    const barcodes = JSON.parse(missing) as string[];
    if (barcodes.length === 0) {
      return undefined;
    }
    let isCurrent = true;
    async function ask(): Promise<void> {
      try {
        const known = await askKnown({ consignorID: ownerUid, barcodes });
        if (isCurrent) {
          setKept((last) => ({ ownerUid, facts: withAnswer(last, ownerUid, barcodes, known) }));
        }
      } catch (error) {
        console.warn("What is known of these codes could not be loaded", error);
      }
    }
    const timer = setTimeout(() => void ask(), settleMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [ownerUid, missing]);
  return facts;
}

function withAnswer(
  last: { readonly ownerUid: string | null; readonly facts: CodeFacts },
  ownerUid: string | null,
  asked: readonly string[],
  known: readonly KnownBarcode[],
): CodeFacts {
  const found = new Map(known.map((one) => [one.barcode1, one]));
  return new Map([
    ...(last.ownerUid === ownerUid ? last.facts : noFacts),
    ...asked.map((code) => [code, found.get(code) ?? null] as const),
  ]);
}
