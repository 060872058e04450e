// Gets an item's picture while its form is open: by the link when its field is left, or as a photo.
import { useRef, useState } from "react";
import { withPicture, type FoundPicture, type ItemDraft } from "./item-draft.ts";
import { inTime, usePhoto, type MissedPhoto } from "./photo-upload.ts";
import { findImage } from "./picture-api.ts";

export type PictureWork = {
  readonly state: "idle" | "looking" | "nothing-found" | "uploading";
  /** Why a photo was not taken. */
  readonly error: string | undefined;
  /** Looks for the picture of this link, unless it has its picture already. */
  readonly look: (link: string) => void;
  readonly upload: (file: File) => void;
  /** The draft with the pictures that are still on their way. Waits a few seconds at most. */
  readonly settled: (draft: ItemDraft) => Promise<ItemDraft>;
  readonly isSettling: boolean;
  /**
   * Call it when that draft is saved. A photo that came too late for it is nobody's: it is not put into the form any
   * more, and its address is returned if it is there already. Undefined if there is no such photo.
   */
  readonly leavePhoto: () => MissedPhoto | undefined;
};

/** `draft` is filled in while rendering, so that nothing typed in the meantime is lost. */
export function usePictureWork(
  draft: ItemDraft,
  setDraft: (draft: ItemDraft) => void,
): PictureWork {
  const [linkState, setLinkState] = useState<"idle" | "looking" | "nothing-found">("idle");
  const [found, setFound] = useState<FoundPicture>();
  const [applied, setApplied] = useState<FoundPicture>();
  const [isSettling, setSettling] = useState(false);
  const photo = usePhoto(setFound);
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
        setLinkState(asin !== null && imageUrl === null ? "nothing-found" : "idle");
        setFound(picture);
      }
      return picture;
    } catch {
      // As the specification has it: failures return nothing. The next time the field is left asks again.
      lastLink.current = "";
      setLinkState("idle");
      return undefined;
    }
  }

  return {
    state: photo.isUploading ? "uploading" : linkState,
    error: photo.error,
    isSettling,
    look(link) {
      const asked = link.trim();
      const isAnother = asked !== lastLink.current;
      lastLink.current = asked;
      if (asked === "") {
        setLinkState("idle");
        setFound({ link: "", imageUrl: "", asin: "" });
      } else if (linkState !== "looking" ? isAnother || draft.imageUrl === "" : isAnother) {
        setLinkState("looking");
        looking.current = lookFor(asked);
      }
    },
    upload: photo.upload,
    async settled(now) {
      setSettling(true);
      const pictures = await Promise.all([
        linkState === "looking" ? inTime(looking.current) : undefined,
        photo.inTime(),
      ]);
      setSettling(false);
      return pictures.reduce<ItemDraft>(
        (filled, picture) =>
          picture === undefined ? filled : withPicture(filled, picture, applied),
        now,
      );
    },
    leavePhoto: photo.leave,
  };
}
