// A list's filter by consignor. Its field, which can suggest names, is loaded after the list.
import { onDemand } from "#web/ui/on-demand.tsx";

/** In the place of the field, and as large. */
function Coming() {
  return (
    <div className="min-w-0">
      <input
        aria-label="Consignor"
        aria-busy="true"
        placeholder="Consignor"
        readOnly
        className="control w-full"
      />
    </div>
  );
}

export const ConsignorFilter = onDemand(
  () => import("./consignor-filter-field.tsx").then((file) => file.ConsignorFilterField),
  { fallback: <Coming />, ifMissing: "fallback" },
);
