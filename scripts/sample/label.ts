// Uploads the prepaid label of one of the sample's shipments, a PDF of one page.
import { createHash } from "node:crypto";
import PdfDocument from "pdfkit";
import type { Sql } from "#db/connect.ts";
import { uploadShipmentLabel } from "#features/shipments/decider-store.ts";
import { lookUpShipment } from "#features/shipments/look-ups.ts";
import type { Labels } from "#identity/labels.ts";
import { writeShipmentText } from "#identity/shipment-texts.ts";
import type { Ledger } from "#ledger/log/ledger.ts";
import { createReadEvent } from "#ledger/log/read-event.ts";
import { events } from "../../services/features.ts";
import { LABELLED_SHIPMENT } from "./shipments.ts";
import { sampleId } from "./commands.ts";

type LabelTarget = {
  readonly ledger: Ledger;
  readonly sql: Sql;
  readonly clock: () => Date;
  readonly identity: { readonly labels: Labels };
};

const TRACKING_NUMBER = "1Z999AA10198765432";

export async function labelFile(): Promise<Buffer> {
  const document = new PdfDocument({ size: [288, 432], margin: 24 });
  document.fontSize(20).text("UPS GROUND").moveDown();
  document.fontSize(12).text("Sample label, not valid for postage").moveDown();
  document.text(TRACKING_NUMBER);
  document.end();
  const parts: Buffer[] = [];
  for await (const part of document) {
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
}

/** Does nothing if the shipment already has a label. */
export async function uploadSampleLabel(store: LabelTarget, admin: string): Promise<void> {
  const { ledger, sql, clock, identity } = store;
  const found = await lookUpShipment(
    { sql, readEvent: createReadEvent(events) },
    LABELLED_SHIPMENT,
  );
  if (found === undefined || found.consignorId === null || found.labelId !== null) {
    return;
  }
  const ownerUid = found.consignorId;
  const [labelId, textId] = [sampleId("label"), sampleId("label-text")];
  const label = identity.labels.prepare({ id: labelId, ownerUid, bytes: await labelFile() });
  await label.stage();
  const command = {
    shipmentId: LABELLED_SHIPMENT,
    labelId,
    carrier: "UPS",
    textId,
    expected: { textId: found.textId, labelId: null },
    happenedAt: clock().toISOString(),
  } as const;
  const key = "sample:shipment-label";
  await ledger.execute(uploadShipmentLabel, command, {
    actor: admin,
    scope: "store",
    key,
    requestHash: createHash("sha256").update(key).digest("hex"),
    async inSameTransaction(transaction) {
      await writeShipmentText(transaction, {
        id: textId,
        shipmentId: LABELLED_SHIPMENT,
        ownerUid,
        carrierName: null,
        trackingNumber: TRACKING_NUMBER,
        contents: "Board games",
      });
      await label.write(transaction);
    },
  });
}
