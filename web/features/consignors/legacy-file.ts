// The old app's export as the browser reads it: a list of accounts, in parts that fit into a call.
const largestPart = 600_000;
const mostInPart = 500;

export type LegacyFile =
  | { readonly kind: "accounts"; readonly parts: readonly (readonly unknown[])[] }
  | { readonly kind: "problem"; readonly sentence: string };

function usersIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const users: unknown = Reflect.get(Object(value), "users");
    return Array.isArray(users) ? users : undefined;
  } catch {
    return undefined;
  }
}

/** The account's name in the old app, as the server tells accounts apart. */
function nameOf(user: unknown): string {
  const names = ["id", "email", "username"].map((field): unknown =>
    Reflect.get(Object(user), field),
  );
  const name = names.find((one) => typeof one === "string" && one !== "");
  return typeof name === "string" ? name : "";
}

export function readLegacyText(text: string): LegacyFile {
  const users = usersIn(text);
  if (users === undefined || users.length === 0) {
    return {
      kind: "problem",
      sentence: "This is not an export of the old app: it has no list of users.",
    };
  }
  const names = new Set<string>();
  const parts: unknown[][] = [];
  let size = largestPart;
  for (const user of users) {
    const name = nameOf(user);
    if (name !== "" && names.has(name)) {
      return { kind: "problem", sentence: `The account ${name} is in the file twice.` };
    }
    names.add(name);
    const length = JSON.stringify(user).length;
    if (length > largestPart) {
      return {
        kind: "problem",
        sentence: `The account ${name} is too large for the browser. Load the file with npm run import-legacy.`,
      };
    }
    const part = parts.at(-1);
    size += length;
    if (part === undefined || size > largestPart || part.length >= mostInPart) {
      parts.push([user]);
      size = length;
    } else {
      part.push(user);
    }
  }
  return { kind: "accounts", parts };
}
