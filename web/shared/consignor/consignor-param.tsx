// A list's filter by consignor whose uid is in the address; it says so if the typed text names nobody.
import { useState } from "react";
import { ConsignorFilter } from "./consignor-filter.tsx";
import { pickError } from "./consignor-pick.ts";

type ConsignorParamProps = {
  /** The filters in the address. */
  readonly uid: string | undefined;
  readonly onUid: (uid: string | undefined) => void;
};

/** The consignor's field. It is reset when the address changes from outside, for example by going back. */
export function ConsignorParam({ uid, onUid }: ConsignorParamProps) {
  const [seen, setSeen] = useState(uid);
  const [sent, setSent] = useState(uid);
  const [version, setVersion] = useState(0);
  const [typed, setTyped] = useState("");
  function beginAnew(): void {
    setSent(uid);
    setTyped("");
    setVersion(version + 1);
  }
  if (seen !== uid) {
    setSeen(uid);
    if (uid !== sent) {
      beginAnew();
    }
  }
  return (
    <div className="max-md:col-span-2">
      <ConsignorFilter
        key={version}
        uid={uid}
        onUid={(next) => {
          setSent(next);
          onUid(next);
        }}
        onTyped={setTyped}
      />
      <output className="block text-12 text-muted empty:hidden">
        {uid === undefined && typed.trim() !== ""
          ? pickError({ chosen: undefined, typed }, "")
          : null}
      </output>
    </div>
  );
}
