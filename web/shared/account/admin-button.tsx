// Leads an admin from a consignor's screens to the inventory.
import { useProfile } from "./session.tsx";
import { paths } from "#web/paths.ts";
import { ButtonLink } from "#web/ui/button-link.tsx";

export function AdminButton() {
  return useProfile().role === "admin" ? <ButtonLink to={paths.admin}>Admin</ButtonLink> : null;
}
