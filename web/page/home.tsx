// Draws the home page on the server, from the bundle that the build makes of this file. It loads no other part of the app.
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { publicSettingsResponse } from "#features/settings/contract.ts";
import { homeDescription, homeTitle } from "#web/features/home/home-head.ts";
import { HomePage } from "#web/features/home/home-page.tsx";
import { TEXTS_ID } from "#web/features/home/texts-id.ts";
import { paths } from "#web/paths.ts";
import { unnamedStore } from "#web/ui/store-name.ts";

/** `settings` is the answer of GET /settings/public. Without styles in attributes, which the page's policy forbids. */
export function drawHome(settings: unknown): {
  readonly title: string;
  readonly storeName: string;
  readonly description: string;
  readonly html: string;
  /** The id of the element with the texts for the app, which must draw the same. */
  readonly textsId: string;
} {
  const texts = publicSettingsResponse.parse(settings);
  const storeName = texts.storeName ?? unnamedStore;
  return {
    title: `${homeTitle} · ${storeName}`,
    storeName,
    description: homeDescription(texts),
    html: renderToString(
      <MemoryRouter initialEntries={[paths.home]}>
        <HomePage texts={texts} />
      </MemoryRouter>,
    ),
    textsId: TEXTS_ID,
  };
}
