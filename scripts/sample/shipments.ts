// The sample store's shipments, at least one in each state.
import { changeShipment, deleteShipment, submitShipment } from "#features/shipments/decider.ts";
import { markShipment } from "#features/shipments/decider-store.ts";
import type { ShipmentSaid } from "#features/shipments/events.ts";
import { writeShipmentText } from "#identity/shipment-texts.ts";
import type { ShipmentText } from "#identity/shipment-texts.ts";
import { productNamed } from "./catalog.ts";
import { onDay } from "./past.ts";
import type { Past } from "./past.ts";
import { consignors } from "./people.ts";
import type { SampleConsignor } from "./people.ts";
import { sampleId } from "./commands.ts";
import type { SampleCommands } from "./commands.ts";

type Said = Partial<ShipmentText> & Partial<Omit<ShipmentSaid, "textId">>;

/** The shipment with an uploaded label. The file is made when the sample is loaded. */
export const LABELLED_SHIPMENT = sampleId("shipment:labelled");

const textIdOf = (key: string) => sampleId(`text:${key}`);

class SampleShipments {
  readonly #commands: SampleCommands;

  constructor(commands: SampleCommands) {
    this.#commands = commands;
  }

  submit(at: Date, name: string, who: SampleConsignor | null, given: Said): string {
    const shipmentId = sampleId(`shipment:${name}`);
    const consignorId = who === null ? null : this.#commands.uids.of(who);
    const key = `shipment:${name}`;
    const said = this.#said(key, shipmentId, consignorId, given);
    const happenedAt = at.toISOString();
    const command = { shipmentId, consignorId, said, boxOf: null, happenedAt };
    this.#commands.add(key, submitShipment, command, consignorId ?? this.#commands.uids.admin);
    return shipmentId;
  }

  change(at: Date, name: string, who: SampleConsignor, given: Said): void {
    const shipmentId = sampleId(`shipment:${name}`);
    const consignorId = this.#commands.uids.of(who);
    const key = `shipment-change:${name}`;
    const said = this.#said(key, shipmentId, consignorId, given);
    this.#commands.add(
      key,
      changeShipment,
      {
        shipmentId,
        of: { consignorId },
        said,
        expected: { textId: textIdOf(`shipment:${name}`) },
        expectedVersion: null,
        happenedAt: at.toISOString(),
      },
      consignorId,
    );
  }

  mark(
    at: Date,
    name: string,
    flags: { readonly delivered?: boolean; readonly processed?: boolean },
    counts: {
      readonly received: number;
      readonly refused?: number;
      readonly reason?: string;
    } | null = null,
    about: SampleConsignor | null = null,
  ): void {
    const key = this.#commands.nextKey(`shipment-mark:${name}`);
    const noteId =
      counts?.reason === undefined ? null : this.#commands.note(key, counts.reason, about);
    this.#commands.add(key, markShipment, {
      shipmentId: sampleId(`shipment:${name}`),
      delivered: flags.delivered ?? null,
      processed: flags.processed ?? null,
      counts:
        counts === null
          ? null
          : { receivedUnits: counts.received, refusedUnits: counts.refused ?? 0, noteId },
      happenedAt: at.toISOString(),
    });
  }

  delete(at: Date, name: string, who: SampleConsignor): void {
    const consignorId = this.#commands.uids.of(who);
    const command = { shipmentId: sampleId(`shipment:${name}`), of: { consignorId } };
    const happenedAt = at.toISOString();
    this.#commands.add(
      `shipment-delete:${name}`,
      deleteShipment,
      { ...command, expected: { labelId: null }, happenedAt },
      consignorId,
    );
  }

  #said(key: string, shipmentId: string, ownerUid: string | null, given: Said): ShipmentSaid {
    const { carrierName = null, trackingNumber = null, contents = null, ...rest } = given;
    const textId = textIdOf(key);
    this.#commands.rows.set(key, (transaction) =>
      writeShipmentText(transaction, {
        id: textId,
        shipmentId,
        ownerUid,
        carrierName,
        trackingNumber,
        contents,
      }),
    );
    return { textId, carrier: null, declaredUnits: null, needsLabel: false, ...rest };
  }
}

function named(name: string): SampleConsignor {
  const found = consignors.find((who) => who.name === name);
  if (found === undefined) {
    throw new Error(`Nobody is called ${name}`);
  }
  return found;
}

/** Adds the shipments' commands, each on its day. */
export function tellOfShipments(past: Past, commands: SampleCommands): void {
  const shipments = new SampleShipments(commands);
  tellOfAvery(past, shipments, named("avery"));
  const blake = named("blake");
  onDay(past, 3, (at) =>
    shipments.submit(at, "labelled", blake, {
      needsLabel: true,
      declaredUnits: 4,
      contents: "Board games",
    }),
  );
  onDay(past, 5, (at) =>
    shipments.submit(at, "casey-drop", named("casey"), {
      carrier: "OTHER",
      carrierName: "Drop-off",
      trackingNumber: "DROP-C45E7A10",
      declaredUnits: 9,
    }),
  );
  onDay(past, 5, (at) => shipments.mark(at, "casey-drop", { delivered: true }));
  const devon = named("devon");
  onDay(past, 14, (at) =>
    shipments.submit(at, "devon", devon, { carrier: "FEDEX", trackingNumber: "449044304137821" }),
  );
  onDay(past, 12, (at) => shipments.mark(at, "devon", { processed: true }, { received: 5 }));
  onDay(past, 11, (at) => shipments.mark(at, "devon", { processed: false }));
  onDay(past, 10, (at) => shipments.mark(at, "devon", { processed: true }, { received: 6 }));
  onDay(past, 2, (at) =>
    shipments.submit(at, "unknown", null, {
      carrier: "USPS",
      trackingNumber: "9400 1000 0000 0000 0000 17",
      contents: "No name on the box",
    }),
  );
  onDay(past, 2, (at) => shipments.mark(at, "unknown", { delivered: true }));
  const harper = named("harper");
  onDay(past, 9, (at) =>
    shipments.submit(at, "harper", harper, {
      carrier: "UPS",
      trackingNumber: "1Z999AA10100000011",
    }),
  );
  onDay(past, 8, (at) => shipments.delete(at, "harper", harper));
}

function tellOfAvery(past: Past, shipments: SampleShipments, avery: SampleConsignor): void {
  onDay(past, 15, (at) =>
    shipments.submit(at, "avery-done", avery, {
      carrier: "UPS",
      trackingNumber: "1Z999AA10123456784",
      declaredUnits: 6,
      contents: "LEGO sets, sealed",
    }),
  );
  onDay(past, 12, (at) => shipments.mark(at, "avery-done", { delivered: true }));
  onDay(past, 9, (at) => {
    const product = productNamed("LEGO 10281 Bonsai Tree, sealed");
    const shipmentId = sampleId("shipment:avery-done");
    past.stock.scan(at, avery, product, { location: "T-02-03", units: 5, shipmentId });
    const counts = { received: 5, refused: 1, reason: "One box was open and pieces were missing" };
    shipments.mark(at, "avery-done", { processed: true }, counts, avery);
  });
  onDay(past, 5, (at) =>
    shipments.submit(at, "avery-there", avery, {
      carrier: "USPS",
      trackingNumber: "9400 1000 0000 0000 0000 00",
      declaredUnits: 3,
    }),
  );
  onDay(past, 4, (at) => shipments.mark(at, "avery-there", { delivered: true }));
  onDay(past, 3, (at) => shipments.mark(at, "avery-there", { delivered: false }));
  onDay(past, 2, (at) => shipments.mark(at, "avery-there", { delivered: true }));
  const way = { carrier: "FEDEX", trackingNumber: "701234567890" } as const;
  onDay(past, 2, (at) => shipments.submit(at, "avery-way", avery, way));
  onDay(past, 1, (at) =>
    shipments.change(at, "avery-way", avery, { ...way, declaredUnits: 2, contents: "Two lenses" }),
  );
  onDay(past, 1, (at) =>
    shipments.submit(at, "avery-label", avery, { needsLabel: true, contents: "Sneakers, size 10" }),
  );
}
