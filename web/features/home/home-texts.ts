// What the home page says about the store: written into the page by the server, or read if the app was open before.
import { useEffect, useState } from "react";
import {
  publicSettingsResponse,
  type PublicSettingsResponse,
} from "#features/settings/contract.ts";
import { useRead } from "#web/lib/read.ts";
import { TEXTS_ID } from "./texts-id.ts";

function textsInPage(): PublicSettingsResponse | undefined {
  const written = document.getElementById(TEXTS_ID)?.textContent;
  return written === undefined ? undefined : publicSettingsResponse.parse(JSON.parse(written));
}

/** Undefined until they are known. */
export function useHomeTexts(): PublicSettingsResponse | undefined {
  const [written] = useState(textsInPage);
  useEffect(() => {
    // From here on the page is the app's.
    delete document.getElementById("root")?.dataset["drawn"];
    // People who come back later see what applies then.
    return () => document.getElementById(TEXTS_ID)?.remove();
  }, []);
  const { data } = useRead(
    written === undefined ? "/settings/public" : undefined,
    publicSettingsResponse,
  );
  return written ?? data;
}
