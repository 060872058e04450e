// Asks once a visit, and after each change, what the store is called: for the top bar, the login screen and the tab's title.
import { useEffect } from "react";
import { useRead } from "#web/lib/read.ts";
import { noteStoreBrand, storeBrand } from "#web/ui/store-name.ts";

/** Shows nothing itself. Until the server has answered, screens show what it said at the last visit. */
export function StoreBrandReader() {
  const { data } = useRead("/settings/public", storeBrand);
  useEffect(() => {
    if (data !== undefined) {
      noteStoreBrand(data);
    }
  }, [data]);
  return null;
}
