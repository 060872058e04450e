// Changes of the keys that sign statements and ID tokens, so that a file or a sign-in which the store never made would
// be genuine.
import type { Change } from "./change.ts";
import { bySql, named } from "./change.ts";

const PLANTED = "planted-key-of-somebody";

/** A retired key, as whoever has the application's role may insert it: only one key is current. */
const planted = (publicSealed: string) => `
  insert into identity.statement_keys
    (kid, public_jwk, private_sealed, public_sealed, created_at, retired_at)
  select '${PLANTED}', public_jwk || '{"kid": "${PLANTED}"}', null, ${publicSealed}, now(), now()
  from identity.statement_keys where retired_at is null`;

const FORGED = "forged-key-of-somebody";

/** A key of ID tokens with the dates of the store's own, as the owner of the database may insert it. */
const forged = (privateSealed: string, plain: string) => `
  insert into identity.signing_keys
    (kid, public_jwk, private_sealed, plain_jwk, created_at, signs_from, published_until)
  select '${FORGED}', public_jwk || '{"kid": "${FORGED}"}', ${privateSealed}, ${plain},
    created_at, signs_from, published_until
  from identity.signing_keys order by turn desc limit 1`;

export const keyChanges: readonly Change[] = [
  bySql(
    "a key of statements that the store did not make",
    () => planted("null"),
    () => named(PLANTED),
  ),
  bySql(
    "a key of statements with the seal of another one",
    () => planted("public_sealed"),
    () => named(PLANTED),
  ),
  bySql(
    "the public part of the key of statements exchanged",
    ({ statementKey }) => `
      update identity.statement_keys set public_jwk = public_jwk || '{"x": "c29tZWJvZHkgZWxzZSdz"}'
      where kid = '${statementKey.kid}'`,
    ({ statementKey }) => named(statementKey.kid),
  ),
  bySql(
    "the time of the key of statements",
    ({ statementKey }) => `
      update identity.statement_keys set created_at = created_at - interval '1 year'
      where kid = '${statementKey.kid}'`,
    ({ statementKey }) => named(statementKey.kid),
  ),
  bySql(
    "a key of ID tokens in plain sight",
    () => forged("null", "public_jwk"),
    () => named(FORGED),
  ),
  bySql(
    "a key of ID tokens with the seal of another one",
    () => forged("private_sealed", "null"),
    () => named(FORGED),
  ),
  bySql(
    "a key of ID tokens that nobody can read",
    () => forged("'\\x00'", "null"),
    () => named(FORGED),
  ),
  bySql(
    "the public part of the key of ID tokens exchanged",
    ({ signingKey }) => `
      update identity.signing_keys set public_jwk = public_jwk || '{"x": "c29tZWJvZHkgZWxzZSdz"}'
      where kid = '${signingKey.kid}'`,
    ({ signingKey }) => named(signingKey.kid),
  ),
];
