// The screens that somebody can go to, with their letters.
import type { Place } from "../place.ts";
import { consignorPlaces } from "../consignor-places.ts";
import { adminGroups } from "../places.ts";
import { paths } from "#web/paths.ts";
import { PersonIcon } from "#web/ui/thing-icons.ts";

const profile: Place = { to: paths.profile, label: "Profile", icon: PersonIcon, key: "y" };

const adminPlaces: readonly Place[] = [...adminGroups.flatMap(({ places }) => places), profile];
const personPlaces: readonly Place[] = [...consignorPlaces, profile];

export function placesFor(isAdmin: boolean): readonly Place[] {
  return isAdmin ? adminPlaces : personPlaces;
}

export function placeOfKey(key: string, isAdmin: boolean): Place | undefined {
  return placesFor(isAdmin).find((place) => place.key === key);
}
