// The slip that goes into a box, on A4 or Letter. It prints as soon as it is mounted, without the rest of the page.
import "./packing-slip.css";
import { useEffect, useEffectEvent } from "react";
import { createPortal } from "react-dom";
import type { ShipmentView, ShipTo } from "#features/shipments/contract.ts";
import { formatDayTime, formatQuantity } from "#web/lib/formats.ts";
import { Barcode } from "#web/shared/code/barcode.tsx";
import { addressLines } from "./ship-to-lines.ts";

type PackingSlipProps = {
  readonly shipment: ShipmentView;
  readonly shipTo: ShipTo;
  /** The print dialog was closed. */
  readonly onClose: () => void;
};

export function PackingSlip({ shipment, shipTo, onClose }: PackingSlipProps) {
  const onPrinted = useEffectEvent(onClose);
  useEffect(() => {
    const close = () => onPrinted();
    // No size: A4 or Letter, whichever the printer has.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("@page { margin: 16mm; }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    addEventListener("afterprint", close);
    print();
    return () => {
      removeEventListener("afterprint", close);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, []);
  const { carrierName, trackingNumber, contents, declaredUnits } = shipment;
  const facts = [
    { label: "Shipment", value: shipment.shortId },
    { label: "From", value: `${shipment.displayName}, ID ${shipTo.shortId}` },
    { label: "Submitted", value: formatDayTime(new Date(shipment.timestamp)) },
    { label: "Carrier", value: carrierName },
    { label: "Tracking number", value: trackingNumber },
    {
      label: "Units",
      value: declaredUnits === null ? null : formatQuantity(declaredUnits, "unit"),
    },
    { label: "Contents", value: contents },
  ];
  return createPortal(
    <section className="slip-print" aria-label="Packing slip">
      <h1>
        Packing slip
        {shipment.box === null ? null : (
          <span className="slip-box">{`Box ${shipment.box.nth} of ${shipment.box.of}`}</span>
        )}
      </h1>
      <p className="slip-id">{shipTo.shortId}</p>
      <figure className="slip-code">
        <Barcode code={shipment.shortId} className="slip-bars" />
        <figcaption>{shipment.shortId}</figcaption>
      </figure>
      <h2>Ship to</h2>
      <address>
        {addressLines(shipTo).map((line) => (
          <span key={line}>{line}</span>
        ))}
      </address>
      <dl>
        {facts.map(({ label, value }) =>
          value === null ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <p className="slip-note">Put this slip into the box.</p>
    </section>,
    document.body,
  );
}
