// A person's name or chip on an admin's screen. It opens the person in Consignors.
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { consignorPath } from "#web/paths.ts";

type ConsignorLinkProps = {
  readonly uid: string;
  readonly name: string;
  /** By default the name. */
  readonly children?: ReactNode;
};

export function ConsignorLink({ uid, name, children = name }: ConsignorLinkProps) {
  return (
    <Link
      to={consignorPath(uid)}
      aria-label={withIsolatedNames(`Open ${name}`)}
      data-tip="Open this consignor"
      className="inline-flex max-w-full min-h-6 items-center rounded-pill hover:underline"
    >
      {children}
    </Link>
  );
}
