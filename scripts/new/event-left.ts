// What is left to a person after `npm run new -- event …`, and which specs to run.
import { isOfItem } from "./event-files.ts";
import type { EventNames } from "./event-files.ts";
import { isTime } from "./event-set-aside.ts";
import { folderOf } from "./feature-files.ts";
import { CHANGELOG, everyEvent, everyItemEvent, serverSpecs } from "./specs.ts";

/** `events` is the feature's events.ts; `hasFields` says whether the fields were named. */
export function leftOf(names: EventNames, events: string, hasFields: boolean): readonly string[] {
  const { type, command, feature, file, fields } = names;
  const folder = folderOf(feature);
  return [
    ...(!hasFields
      ? [
          `${events}: the fields of ${type}, and in its comment what it posts and moves; the same in its fixture`,
        ]
      : []),
    names.setAside === null
      ? `${folder}/streams.ts: a case in evolve, if a command must know of it; then \`npm run fingerprints\``
      : `\`npm run fingerprints\`: the item's state has what is set aside (${folder}/streams.ts)${names.moves?.way === "to" ? ", and the next start builds `inventory` again" : ""}`,
    `${folder}/explain.ts: how it reads to people`,
    `${folder}/decider-${file}.ts and its specs, one of which fails until it says what ${command} does`,
    `${folder}/contract-${file}.ts and routes-${file}.ts, if it takes or answers something else, or others than admins may send it (services/testing/access/calls.ts)`,
    ...(isOfItem(names)
      ? []
      : ["services/testing/rehearsal: a request of the call, which rehearsal.test.ts rehearses"]),
    ...(names.moves === null
      ? ["a holding or an account of its own, if it needs one: `npm run new -- name`"]
      : ["services/README.md says what no test notices about units that are set aside"]),
    ...(names.setAside !== null && names.moves?.way === "to"
      ? [
          `web/shared/item/held-units.tsx: how many are set aside, or an item without others reads "Sold out" to its consignor; services/README.md says where the number comes from`,
          "web/features/consignors/left-text.ts and web/features/dashboard/dashboard-tiles.tsx: the same of all of a person's items (contract-summary.ts of accounts); and a column of the CSV file (csvOf and itemCsvHead in queries.ts of inventory)",
        ]
      : []),
    ...(names.setAside !== null && names.moves?.way === "from" && fields.some(isTime)
      ? [
          `what brings the units back when the time has come: \`npm run new -- deadline EndOverdue${names.setAside.entry} --in ${feature} --ends ${type}\``,
        ]
      : []),
    CHANGELOG,
    ...serverSpecs([`${folder}/decider-${file}`], isOfItem(names) ? everyItemEvent : everyEvent),
  ];
}
