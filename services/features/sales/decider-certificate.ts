// Decides erasing numbers of tax certificates: the sales stay tax exempt, and no money moves.
import type { Decider } from "#ledger/decider.ts";
import { accept, reject } from "#ledger/decider.ts";
import { emit } from "#ledger/event.ts";
import { TaxCertificateErased } from "#features/sales/events.ts";
import { CERTIFICATES } from "#features/sales/streams.ts";

export type EraseCertificate = {
  /** The sale that the admin had open; null if a restore erases again. */
  readonly saleId: string | null;
  /** The notes that have the number. The caller erases them in the transaction of the event. */
  readonly noteIds: readonly string[];
  readonly happenedAt: string;
};

export type CertificateErasedAnswer = { readonly numbers: number };

/** Rejects 409 `no_certificate`. */
export const eraseCertificate: Decider<EraseCertificate, CertificateErasedAnswer> = {
  type: "EraseCertificate",
  streams: () => [CERTIFICATES],
  decide: ({ saleId, noteIds, happenedAt }) =>
    noteIds.length === 0
      ? reject(409, "no_certificate", "No certificate number is kept for this sale")
      : accept(
          [
            emit(
              TaxCertificateErased,
              { saleId, noteIds: [...noteIds] },
              { streams: [CERTIFICATES], happenedAt },
            ),
          ],
          { numbers: noteIds.length },
        ),
};
