// Which row of the security log counts a note: one per kind, outcome, person, network and ten minutes, and never too many.
import { createHash } from "node:crypto";
import { uuidOf } from "#ledger/uuid.ts";
import { wideNetworkOf } from "#identity/networks.ts";
import type { SecurityKind, SecurityOutcome } from "#identity/security-kinds.ts";

/** Where a request comes from. */
export type RequestOrigin = {
  readonly address: string;
  readonly userAgent: string | undefined;
};

export type SecurityNote = {
  readonly kind: SecurityKind;
  readonly outcome: SecurityOutcome;
  /** Whose account it is about: a person, an email that somebody typed, or nobody who is known. */
  readonly about: { readonly uid: string } | { readonly email: string } | "nobody";
  /** The admin who did it to somebody else's account. */
  readonly byUid?: string;
  /** A constant of ours, such as the name of a route. Never what somebody sent: it is shown and kept. */
  readonly detail?: string;
  /** What is left of `detail` where a person has too many rows: one of few constants. */
  readonly sharedDetail?: string;
  /** Undefined if the one who notes does not know it. */
  readonly origin: RequestOrigin | undefined;
};

/** Everything that is counted together within ten minutes. */
export type SecurityRow = {
  readonly id: string;
  readonly kind: SecurityKind;
  readonly outcome: SecurityOutcome;
  readonly uid: string | null;
  readonly byUid: string | null;
  readonly network: string;
  readonly count: number;
  readonly notedAt: Date;
  readonly lastAt: Date;
  /** These are null where the counted ones differ. */
  readonly email: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly detail: string | null;
};

const WINDOW_MS = 600_000;
/** New rows of one process in ten minutes: of all strangers together, and of each person. Then they share rows. */
const MOST_OF_STRANGERS = 500;
const MOST_OF_A_PERSON = 100;
/** One person can cause thousands of these by calling many routes, and a few tell as much as many. */
const FREQUENT = { group: "frequent", most: 20 };
/** These have rows of their own, so that they take none from a person's other notes. */
const APART: Readonly<Partial<Record<SecurityKind, { group: string; most: number }>>> = {
  "access-refused": FREQUENT,
  "too-many-requests": FREQUENT,
};
/** Of whoever saves them, so that nobody takes the places of what others save of the same person. */
const FILES = { group: "files", most: 100 };
/** Then only what differs by file goes: whose it is, the call and the address stay for this many more. */
const CALLS = { group: "calls", most: 100 };
const OTHERS = "others";
const MAX_USER_AGENT = 200;
const MAX_DETAIL = 200;

/** The row that counts a note. */
export type SlotOf = (note: SecurityNote, now: Date) => SecurityRow;

export function createNoteSlots(): SlotOf {
  let window = Number.NaN;
  const seen = new Map<string, Set<string>>();
  return (note, now) => {
    const current = Math.floor(now.getTime() / WINDOW_MS);
    if (current !== window) {
      window = current;
      seen.clear();
    }
    const row = rowOf(note, now, current);
    const mayHave = ({ id }: SecurityRow, { owner, most }: Places): boolean => {
      const ids = seen.get(owner) ?? new Set<string>();
      seen.set(owner, ids);
      return ids.has(id) || (ids.size < most && ids.add(id).has(id));
    };
    if (mayHave(row, placesOf(row))) {
      return row;
    }
    const detail = textOf(note.sharedDetail, MAX_DETAIL);
    const ofCall = withId({ ...row, detail }, current);
    if (row.kind === "exported" && mayHave(ofCall, ofSaver(row, CALLS))) {
      return ofCall;
    }
    return withId({ ...ofCall, network: OTHERS, address: null }, current);
  };
}

type Places = { readonly owner: string; readonly most: number };

function placesOf(row: SecurityRow): Places {
  const { uid, kind } = row;
  if (uid === null) {
    return { owner: "strangers", most: MOST_OF_STRANGERS };
  }
  if (kind === "exported") {
    return ofSaver(row, FILES);
  }
  const { group, most } = APART[kind] ?? { group: "person", most: MOST_OF_A_PERSON };
  return { owner: `${group} ${uid}`, most };
}

function ofSaver({ uid, byUid }: SecurityRow, { group, most }: typeof FILES): Places {
  return { owner: `${group} ${byUid ?? uid ?? ""}`, most };
}

/** Both counted in one row. */
export function together(before: SecurityRow, after: SecurityRow): SecurityRow {
  return {
    ...before,
    count: before.count + after.count,
    lastAt: before.lastAt > after.lastAt ? before.lastAt : after.lastAt,
    email: before.email === after.email ? before.email : null,
    address: before.address === after.address ? before.address : null,
    userAgent: before.userAgent === after.userAgent ? before.userAgent : null,
    detail: before.detail === after.detail ? before.detail : null,
  };
}

function rowOf(note: SecurityNote, now: Date, window: number): SecurityRow {
  const { kind, outcome, about, byUid, detail, origin } = note;
  const row = {
    kind,
    outcome,
    uid: about !== "nobody" && "uid" in about ? about.uid : null,
    byUid: byUid ?? null,
    email: about !== "nobody" && "email" in about ? about.email : null,
    network: origin === undefined ? "none" : wideNetworkOf(origin.address),
    address: origin?.address ?? null,
    userAgent: textOf(origin?.userAgent, MAX_USER_AGENT),
    detail: textOf(detail, MAX_DETAIL),
    count: 1,
    notedAt: now,
    lastAt: now,
  };
  return withId(row, window);
}

function withId(row: Omit<SecurityRow, "id">, window: number): SecurityRow {
  return { ...row, id: idOf(row, window) };
}

/** A stranger's row is one for each network, whatever the details. */
function idOf(row: Omit<SecurityRow, "id">, window: number): string {
  const { kind, outcome, uid, byUid, network, detail } = row;
  const parts = [window, kind, outcome, uid, byUid, network, uid === null ? null : detail];
  return uuidOf(createHash("sha256").update(JSON.stringify(parts)).digest());
}

/** Without characters that tables and terminals cannot show. */
function textOf(text: string | undefined, length: number): string | null {
  const shown = (text ?? "").replaceAll(/\p{C}/gu, " ").slice(0, length).toWellFormed().trim();
  return shown === "" ? null : shown;
}
