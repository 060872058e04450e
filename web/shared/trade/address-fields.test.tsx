// What the fields of an address say where they are empty.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { addressErrors, emptyAddress } from "./address-draft.ts";
import { AddressFields } from "./address-fields.tsx";

it("empty fields of an address each say what to enter, and the sentence about all of them stands once", () => {
  const html = renderToStaticMarkup(
    <AddressFields
      address={emptyAddress}
      errors={addressErrors(emptyAddress)}
      onChange={() => undefined}
    />,
  );
  for (const thing of ["name", "street", "city", "state", "ZIP code"]) {
    expect(html).toContain(`Enter the ${thing}`);
  }
  expect(html.match(/Please fill in all shipping address fields/gu)).toHaveLength(1);
});
