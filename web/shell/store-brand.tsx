// Asks once a visit what the store is called: for the top bar, the login screen and the tab's title.
import { useEffect } from "react";
import { read } from "#web/lib/http.ts";
import { noteStoreBrand, storeBrand } from "#web/ui/store-name.ts";

/** Shows nothing itself. Until the server has answered, screens show what it said at the last visit. */
export function StoreBrandReader() {
  useEffect(() => {
    read("/settings/public", storeBrand).then(
      ({ value }) => noteStoreBrand(value),
      // Not worth a message; the next visit asks again.
      () => undefined,
    );
  }, []);
  return null;
}
