// Gets an item's picture while its form is open: by the link when its field is left, or as a photo.
import { useRef, useState } from "react";
import { asApiError } from "#web/lib/api-error.ts";
import { withPicture, type FoundPicture, type ItemDraft } from "./item-draft.ts";
import { findImage, uploadPhoto } from "./picture-api.ts";
import { shrinkPhoto } from "./shrink-photo.ts";

export type PictureWork = {
  readonly state: "idle" | "looking" | "nothing-found" | "uploading";
  /** Why a photo was not taken. */
  readonly error: string | undefined;
  /** Looks for the picture of this link, unless it has its picture already. */
  readonly look: (link: string) => void;
  readonly upload: (file: File) => void;
  /** The draft with a picture that is still being looked for. Waits a few seconds at most. */
  readonly settled: (draft: ItemDraft) => Promise<ItemDraft>;
  readonly isSettling: boolean;
};

/** Saving waits no longer: a picture can come later, an item cannot. */
const WAITS_MS = 4_000;

/** `draft` is filled in while rendering, so that nothing typed in the meantime is lost. */
export function usePictureWork(
  draft: ItemDraft,
  setDraft: (draft: ItemDraft) => void,
): PictureWork {
  const [state, setState] = useState<PictureWork["state"]>("idle");
  const [error, setError] = useState<string>();
  const [found, setFound] = useState<FoundPicture>();
  const [applied, setApplied] = useState<FoundPicture>();
  const [isSettling, setSettling] = useState(false);
  const looking = useRef<Promise<FoundPicture | undefined>>(undefined);
  const lastLink = useRef(draft.link.trim());
  if (found !== undefined && found !== applied) {
    setApplied(found);
    setDraft(withPicture(draft, found, applied));
  }

  async function lookFor(link: string): Promise<FoundPicture | undefined> {
    try {
      const { imageUrl, asin } = await findImage(link);
      const picture = { link, imageUrl: imageUrl ?? "", asin: asin ?? "" };
      if (lastLink.current === link) {
        setState(asin !== null && imageUrl === null ? "nothing-found" : "idle");
        setFound(picture);
      }
      return picture;
    } catch {
      // As the specification has it: failures return nothing. The next time the field is left asks again.
      lastLink.current = "";
      setState("idle");
      return undefined;
    }
  }

  async function send(file: File): Promise<void> {
    setError(undefined);
    setState("uploading");
    const small = await shrinkPhoto(file).catch(() => undefined);
    try {
      if (small === undefined) {
        setError("This photo cannot be read. Choose a PNG, JPEG or WebP picture");
      } else {
        setFound({ link: null, imageUrl: await uploadPhoto(small), asin: "" });
      }
    } catch (thrown) {
      setError(`Error uploading the photo: ${asApiError(thrown).message}`);
    } finally {
      setState("idle");
    }
  }

  return {
    state,
    error,
    isSettling,
    look(link) {
      const asked = link.trim();
      const isAnother = asked !== lastLink.current;
      lastLink.current = asked;
      if (asked === "") {
        setState("idle");
        setFound({ link: "", imageUrl: "", asin: "" });
      } else if (state !== "looking" ? isAnother || draft.imageUrl === "" : isAnother) {
        setState("looking");
        looking.current = lookFor(asked);
      }
    },
    upload: (file) => void send(file),
    async settled(now) {
      if (state !== "looking") {
        return now;
      }
      setSettling(true);
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => resolve(undefined), WAITS_MS);
      const picture = await Promise.race([looking.current, late]);
      clearTimeout(timer);
      setSettling(false);
      return picture === undefined ? now : withPicture(now, picture, applied);
    },
  };
}
