// A passkey in memory, as a browser with an authenticator would answer: ES256, attestation "none".
import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

export type SoftPasskey = {
  readonly id: string;
  /** The answer to the options of adding it. */
  readonly create: (options: unknown, origin?: string) => object;
  /** The answer to the options of using it. `isVerified`: by a finger, a face or a PIN. */
  readonly use: (options: unknown, origin?: string, isVerified?: boolean) => object;
};

const OUR_PAGE = "http://app.test";
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export function softPasskey(): SoftPasskey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(16);
  const id = credentialId.toString("base64url");
  let counter = 0;

  function authData(origin: string, flags: number, rest = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE((counter += 1), 1);
    const site = createHash("sha256").update(new URL(origin).hostname).digest();
    return Buffer.concat([site, head, rest]);
  }
  return {
    id,
    create(options, origin = OUR_PAGE) {
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const length = Buffer.from([0, credentialId.length]);
      const rest = Buffer.concat([Buffer.alloc(16), length, credentialId, key]);
      const data = authData(origin, PRESENT | VERIFIED | HAS_KEY, rest);
      const attestation = Buffer.concat([
        // {"fmt": "none", "attStmt": {}, "authData": …}
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([data.length]),
        data,
      ]);
      return answerOf(id, {
        clientDataJSON: clientData("webauthn.create", options, origin),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      });
    },
    use(options, origin = OUR_PAGE, isVerified = true) {
      const data = authData(origin, isVerified ? PRESENT | VERIFIED : PRESENT);
      const client = clientData("webauthn.get", options, origin);
      const signed = createHash("sha256").update(Buffer.from(client, "base64url")).digest();
      const signature = createSign("sha256")
        .update(Buffer.concat([data, signed]))
        .sign(privateKey);
      return answerOf(id, {
        clientDataJSON: client,
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
  };
}

function clientData(type: string, options: unknown, origin: string): string {
  const challenge: unknown = Reflect.get(Object(options), "challenge");
  return Buffer.from(JSON.stringify({ type, challenge, origin })).toString("base64url");
}

function answerOf(id: string, response: object): object {
  return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
}
