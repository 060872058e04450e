// The store's logo: uploaded by an admin, checked by content, and shown to everybody.
import type { Hono } from "hono";
import { admin, open, rehearsable } from "#http/access.ts";
import { runCommand } from "#http/command.ts";
import type { RouteDeps } from "#http/deps.ts";
import { documented, documentedFile } from "#http/document.ts";
import type { AppEnv } from "#http/env.ts";
import { HttpError } from "#http/errors.ts";
import type { FileRules } from "#http/file-form.ts";
import { fileForm } from "#http/file-form.ts";
import { bareImage, imageProblem } from "#http/stored-images.ts";
import { noBody, pathParams } from "#http/validate.ts";
import {
  changeLogoForm,
  logoParams,
  MAX_LOGO_BYTES,
  settingsChangedResponse,
} from "#features/settings/contract.ts";
import { changeLogo } from "#features/settings/decider.ts";
import { readLogo, writeLogo } from "#features/settings/store-rows.ts";

const tag = "settings";

const LOGO_RULES: FileRules = {
  maxBytes: MAX_LOGO_BYTES,
  tooLarge: "A logo is at most 1 MB",
  check: (bytes) => Promise.resolve(imageProblem(bytes)),
};

export function addLogo(routes: Hono<AppEnv>, deps: RouteDeps): void {
  addLogoChanges(routes, deps);
  routes.get(
    "/settings/logo/:id",
    open,
    documentedFile({
      summary: "Load a logo of the store",
      tag,
      types: ["image/png", "image/jpeg", "image/webp"],
    }),
    pathParams(logoParams),
    async (c) => {
      const logo = await readLogo(deps.sql, c.req.valid("param").id);
      if (logo === undefined) {
        throw new HttpError(404, "logo_not_found", "There is no such logo");
      }
      return c.body(new Uint8Array(logo.bytes), 200, {
        "Content-Type": logo.type,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "public, max-age=31536000, immutable",
      });
    },
  );
}

function addLogoChanges(routes: Hono<AppEnv>, deps: RouteDeps): void {
  routes.put(
    "/settings/logo",
    rehearsable(admin),
    documented({ summary: "Change the store's logo", tag, answer: settingsChangedResponse }),
    fileForm(LOGO_RULES, changeLogoForm),
    async (c) => {
      const bytes = new Uint8Array(await c.req.valid("form").file.arrayBuffer());
      // Everybody sees it, and where, by whom and with what it was made must not be public.
      const logo = bareImage(bytes);
      if (logo === null) {
        throw new Error("A logo that was checked is none any more");
      }
      const logoId = deps.newId();
      const { version } = await runCommand(
        c,
        deps.ledger,
        changeLogo,
        { logoId, happenedAt: deps.clock().toISOString() },
        {
          id: logoId,
          write: (transaction) => writeLogo(transaction, logoId, logo),
        },
      );
      return c.json({ message: "Logo saved", version });
    },
  );
  routes.delete(
    "/settings/logo",
    rehearsable(admin),
    documented({ summary: "Remove the store's logo", tag, answer: settingsChangedResponse }),
    noBody,
    async (c) => {
      const { version } = await runCommand(c, deps.ledger, changeLogo, {
        logoId: null,
        happenedAt: deps.clock().toISOString(),
      });
      return c.json({ message: "Logo removed", version });
    },
  );
}
