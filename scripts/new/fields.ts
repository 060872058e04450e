// The fields that `npm run new -- event … --fields uid,units` gives an event, its command and its call: kinds by name.
import { NewProblem } from "./tree.ts";

/** One field, as source text for each place that it appears in. */
export type Field = {
  readonly name: string;
  readonly isPerson: boolean;
  readonly type: "string" | "number";
  /** Its schema in events.ts, and in the contract; and what these schemas need of ledger/fields.ts. */
  readonly inEvent: string;
  readonly inContract: string;
  readonly eventImports: readonly string[];
  readonly contractImports: readonly string[];
  /** A value of it. */
  readonly sample: string | number;
  /** How property tests choose one, in stock-steps.ts; and a value there. */
  readonly chosen: string;
  readonly inStep: string;
};

type Kind = Omit<Field, "name" | "isPerson">;

/** A kind whose schema in ledger/fields.ts is the same in events and in contracts. */
function shared(schema: string, sample: string | number, chosen: string): Kind {
  const type = typeof sample === "string" ? "string" : "number";
  const schemas = { inEvent: schema, inContract: schema };
  const imports = { eventImports: [schema], contractImports: [schema] };
  return { type, ...schemas, ...imports, sample, chosen, inStep: JSON.stringify(sample) };
}

const person: Kind = { ...shared("uid", "avery-000000000000001", "consignor"), inStep: "avery" };

/** Before and after everything that happens in tests. */
const EARLIER = "2024-01-31T12:00:00.000Z";
const LATER = "2099-06-30T12:00:00.000Z";

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:uid|[a-z]+[A-Za-z]*Uid)$/u, person],
  [
    /^units$/u,
    {
      ...shared("units", 1, "units"),
      inEvent: "z.int().check(z.positive())",
      inContract: 'wholeCount(1, "Quantity must be greater than 0")',
      eventImports: [],
      contractImports: ["wholeCount"],
    },
  ],
  [/^[a-z]+[A-Za-z]*Cents$/u, shared("centsFromZero", 2500, "fc.nat({ max: 5000 })")],
  [
    /^[a-z]+[A-Za-z]*Id$/u,
    shared("uuid", "00000000-0000-4000-8000-0000000000f1", "fc.uuid({ version: 4 })"),
  ],
  // Before, in and after the time of the steps, so that a rule about the time is reached from both sides.
  [
    /^[a-z]+[A-Za-z]*At$/u,
    shared("instant", LATER, `fc.constantFrom("${EARLIER}", noon, "${LATER}")`),
  ],
];

/** Whether a name says a kind. */
export const isField = (name: string): boolean => kinds.some(([form]) => form.test(name));

/** The fields of `uid,units`. Throws for a name that says no kind. */
export function fieldsOf(list: string | undefined): readonly Field[] {
  const names = (list ?? "").split(",").filter((name) => name !== "");
  return names.map((name, index) => {
    const kind = kinds.find(([form]) => form.test(name))?.[1];
    if (kind === undefined || names.indexOf(name) < index) {
      throw new NewProblem(
        `${name} cannot be a field: use uid, units, or a name that ends in Uid, Cents, Id or At, each once. Add others by hand; what people type belongs into identity.notes`,
      );
    }
    return { ...kind, name, isPerson: kind === person };
  });
}
