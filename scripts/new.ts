// `npm run new`: the files and registrations of an event, a deadline, a projection, a screen, a name, or an event's next version.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { make } from "./new/make.ts";
import { NewProblem, Tree } from "./new/tree.ts";

const usage = `Usage: npm run new -- KIND NAME [OPTIONS]

  event ItemReserved --in FEATURE --command ReserveItem [--stream CATEGORY] [--call /inventory/reserve]
        [--fields uid,units] [--to reservation_holding | --from reservation_holding] [--file reservation]
                      an event with its fixture, words, command, call, access and specs
  deadline EndOverdueReservation --in FEATURE --ends ReservationEnded
                      the worker that brings units back when their time (untilAt) has come: its command, read table,
                      sweep and specs, and rows of the table in the stores of two tests
  version ItemReserved [--fields registerId,soldByUid]
                      the next version of an event, with its upcast and its fixture; with --fields these are in its data,
                      null for older events and where it is emitted, until you say there what is known
  projection sales_per_item --in FEATURE [--stream CATEGORY] [--key CATEGORY] [--no-call]
                      a read table with its oracle, query, call and access
  screen sales-per-item --in FEATURE [--group Books]
                      a screen that lists the rows of the projection of that name, with its browser test
  name reservation_holding "reservation:" [":SUFFIX"] --in FEATURE [--words reserved]
                      the name of a holding or an account that contains an id, with its migration

  --in      the feature, a folder of services/features that has the files the recipe adds to
  --stream  the stream that the event extends, or whose events make a row; the feature's first one otherwise
  --fields  what the event (and of a new one its command and the call) says: uid, units, and names that end in Uid, Cents, Id or At
  --to      the holding that units of the item go to (declare it with \`name\` first); --from: come back from
  --key     what a row is, if the name says a period (sales_per_day): the stream's category
  --no-call only the read table and its oracle
  --words   what the audit log calls the holding, after the item's name
  --ends    the event that the worker makes happen
  --group   the screen's group in web/shell/places.ts; the one of the feature's screens otherwise
  --file    what the names of its files end in, if several commands share them; the command otherwise
  --call    the address of the event's call; /FEATURE/COMMAND otherwise
  --root    another copy of this repository

Nothing is overwritten. The new files pass \`npm run check\`. One new spec fails until a person writes there what the
thing does, so that this cannot be forgotten. Exits with 2, and writes nothing, if something is in the way.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    in: { type: "string" },
    command: { type: "string" },
    stream: { type: "string" },
    call: { type: "string" },
    file: { type: "string" },
    words: { type: "string" },
    ends: { type: "string" },
    group: { type: "string" },
    key: { type: "string" },
    "no-call": { type: "boolean", default: false },
    fields: { type: "string" },
    to: { type: "string" },
    from: { type: "string" },
    root: { type: "string", default: join(import.meta.dirname, "..") },
  },
});

if (values.help) {
  console.log(usage);
  process.exit(0);
}
const tree = new Tree(values.root);
try {
  const { in: feature, root: _root, help: _help, "no-call": isTableOnly, ...options } = values;
  const left = await make(tree, positionals, { feature, isTableOnly, ...options });
  const { made, changed } = tree.touched();
  tree.write();
  const written = [...made, ...changed].filter((path) => !/\.(?:json|sql)$/u.test(path));
  execFileSync(join(import.meta.dirname, "../node_modules/.bin/oxfmt"), written, {
    cwd: values.root,
  });
  console.log(["Made:", ...made, "Changed:", ...changed].join("\n  "));
  console.log(["Left to you:", ...left].join("\n  "));
} catch (error) {
  if (!(error instanceof NewProblem)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 2;
}
